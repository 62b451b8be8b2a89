// What people say around what they want: greetings, thanks, "could you please", "I would like to". It changes nothing of what is meant.
import { ASSISTANT } from './names.ts'

const GREETING =
  /^(?:(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening))(?: (?:there|all|team|everyone|folks|\w+ team))?|ok(?:ay)?|so|well|actually|basically|right|please|kindly|just|ideally|(?:and )?(?:first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth|next|last(?:ly| but not least)?|finally|also|one more thing|another thing)(?=[,:])|furthermore|moreover|in addition|additionally|on top of that|besides that|apart from that|by the way|oh|ah|yes|no worries|sorry|in short|to begin with|for starters|(?:and )?(?:one|two|three)(?=:))\b(?:[,!:.-]+\s*|\s+)/i
/** "I run a bike shop and …": of whom it is, before what is wanted. */
const INTRODUCTION =
  /^(?:i|we)(?: both| only)? (?:run|own|manage|operate|keep) (?:an? |the |our |my )[^,:«‹]{1,60}?(?:,? (?:and|so|where)(?: that is why)?|,)\s+(?=(?:i|we|you|it|would|could|please|want|need)\b)/i
const BUSINESS =
  '(?:shop|store|school|studio|bakery|roastery|brewery|workshop|salon|boutique|market|gallery|nursery|winery|farm|restaurant|café|cafe|garage|practice|clinic|hotel|company|business|library|museum|theatre|club|agency|centre|center|hire|rental)'
/** "A fern nursery keeps …", "our optician's shop wants …": who keeps it, before what is kept. A ticket keeps "a date", and a shop keeps "tickets". */
const KEEPERS = [
  new RegExp(
    `^(?:(?:an?|the) (?:[\\p{L}'-]+ ){1,3}|(?:our|my) (?:[\\p{L}'-]+ ){0,3})${BUSINESS} (keep|need|want|collect|record|store|track|log)s (?=\\S)`,
    'iu',
  ),
  new RegExp(`^(?:an?|the|our|my) ${BUSINESS} (keep|collect|record|store|track|log)s (?=\\S)`, 'iu'),
  /^(?:an?|our|my) (?:[\p{L}'-]+ ){1,4}(keep|collect|record|track|log)s (?=(?!(?:an?|the|its|their|whether|how|when)\b)(?:[\p{L}-]+ ){0,2}[\p{L}-]+s(?:,? (?:with|in|on|per|for|under|and)\b|:|$))/iu,
]
/** "Our florist shop would like to store …": we do. */
/** "An app for a climbing gym: memberships with …" */
const APP_FOR =
  /^(?:(?:please )?(?:make|create|build|write)(?: me| us)? |(?:i|we)(?:'d| would)? (?:want|need|like) )?(?:an?|my|our|the) (?:[\p{L}-]+ ){0,2}app for (?:an?|the|our|my) [^:,«‹]{3,50}: (?=\S)/iu
const WISHES = new RegExp(
  `^(?:an?|the|our|my) (?:[\\p{L}'-]+ ){0,3}${BUSINESS} (?:(?:would|'d) (?:also )?(?:like|love)|also wants|wants|also needs|needs|wishes) to (?=\\S)`,
  'iu',
)
/** "For an engraving workshop: engravings, each with …" */
const FOR_BUSINESS = new RegExp(`^(?:this is )?for (?:an?|the|our|my) (?:[\\p{L}'-]+ ){0,3}${BUSINESS}[:,] (?=\\S)`, 'iu')
/** "I sell wine and want tasting notes": what is done, before what is wanted. */
const TRADE =
  /^(?:i|we) (?:sell|rent|hire|lend|loan|repair|bake|roast|brew|grow|import|service|teach|trade in|deal in|run|own|have|make|build)(?: out)? [^,;:«‹]{2,40}?,? and (?=(?:want|need|would like|keep)\b)/i
const REQUEST = new RegExp(
  `^(?:${[
    "(?:can|could) (?:you|we|i) (?:have|get|make|set) it(?: up)? so(?: that)?|(?:i|we)(?:'d| would)? (?:like|want|need) it (?:set up )?so that",
    "let's|let us(?! (?:know|be|have|see|hear)\\b)|shall we|why (?:don't|not)(?: we| you)?|how about (?:we|you)",
    '(?:can|could|would|will) (?:you|we|i|it)(?: please| kindly| maybe| perhaps| possibly| also)*(?: be able to| help (?:me|us)(?: to)?)?',
    "(?:(?:i|we)(?:'d| would| do|'ll)?|would)(?: really| also| just)* (?:like|love|want|need|wish)(?: (?:you|it|the app|an app|this app|the system|somewhere|something|a place|a way))?(?: (?:that|which))? to",
    "(?:i|we)(?:'d| would)?(?: really| also| just)* (?:like|love|want|need|wish|prefer)(?: it)?(?: that)?(?= (?:when|if|once|after|every|each|new)\\b)",
    'set (?:it|this|things) up so that|(?:arrange|see to it|make it so)(?: that)?|(?:is it|would it be|could it be) possible (?:to|that)|(?:do you see|can you see|is there|would there be) (?:an?|any|some) (?:way|possibility|chance|option) (?:to|that|for)|would you mind|it would be (?:very |really )?(?:nice|great|good|lovely|helpful|useful|handy) (?:if (?:you|we|it) could|to|if|when)',
    "(?:all|what|the only thing|the one thing)(?: that)? (?:i|we)(?:'d| would| really)?(?: (?:want|need|like|ask for|wish for))(?: (?:here|now|today))? (?:is|are)(?: to)?",
    "(?:i|we)(?:'d| would)? (?:like|love|want|need|wish) for (?=(?:every|each|all|any)\\b)",
    "(?:i|we)(?:'d| would) (?:be (?:very |really |so |most )?(?:grateful|happy|glad|pleased|delighted|thankful|obliged)|(?:really |very much )?appreciate it) (?:if|when) (?:you|we|it|the app|this app) (?:could|can|would|might)",
    '(?:it would be|would be) (?:much |very |really |greatly )?appreciated if (?:you|we|it|the app) (?:could|can|would)',
    '(?:could|may|can) i ask you to|i (?:kindly |hereby )?ask you to|(?:i|we) (?:kindly )?request (?:you to|that you)',
    'what (?:we|i) (?:want|need|would like)(?:(?: is(?: for you)?)(?: to)?:?|:)',
    '(?:i|we) (?:was|were) (?:wondering|hoping) (?:if|that|whether) (?:you|we|it|the app) (?:could|can|might|would)',
    "(?:it'd|it would|that'd) be (?:nice|great|good|lovely|helpful|super|cool|perfect) to have",
    '(?:the idea is(?: that| to)?|the app (?:should|must|has to|needs to|shall)(?: also)?|my idea is(?: that| to)?)(?! (?:know|need|require|have a setting))',
    '(?:please )?(?:make sure|ensure|see to it)(?: that)?|feel free to|go ahead and',
    "(?:i|we)(?:'d| would)? also like to|(?:i|we) have to|(?:i|we) must",
  ].join('|')})\\s+`,
  'i',
)
/** "I would like the bot to be able to see …" is what the bot can do. */
const WISH_FOR_ASSISTANT = new RegExp(
  `^(?:i|we)(?:'d| would)?(?: also)? (?:like|love|want|need) ${ASSISTANT}(?: also)? to (?:be able to )?`,
  'i',
)
/** "need a simple thing: …" */
const ONE_THING =
  /^(?:(?:i|we)(?:'d| would)? )?(?:(?:just|only|really) )?(?:need|want|like|have)(?: to have)? (?:an?|one|this|some) (?:(?:very |really )?(?:simple|small|quick|little|easy|basic|new|tiny) )*(?:thing|automation|flow|rule|favou?r|request|idea|feature|wish)s?: */i
/** "I want to be told when …" */
const WISH_TO_KNOW =
  /^(?:i|we)(?:'d| would)?(?: also| really| just)? (?:want|like|love|need|wish|appreciate|prefer|expect)(?: to)? (?:be (told|notified|informed|alerted|warned|pinged)|(?:(?:to )?(?:get|receive|have) )?an? (?:notification|alert|message|notice|e-?mail)|(?:to )?(?:know|hear))(?: about it)?(?=[ ,]|$)/i

/** "My shop sells pet food and I have quite a few wishes": two things that say nothing. */
const OPENING = /^(?:(?:i|we|my|our)\b[^,;:«‹]{2,60}?),? (?:and|so|but)(?: that's why)? (?=(?:i|we)\b)/i

/** "I want an app that sends …" */
const APP =
  /^(?:(?:please )?(?:make|create|build|write)(?: me| us)? |(?:i|we)(?:'d| would)? (?:want|need|like|love) )?(?:an? (?:app|tool|system|solution)|something) (?:that|which|to)(?: can| should| will)? (\w+)/i
/** "… and tells the team" */
const ALSO_DOES =
  /(,? and (?:also )?|, )(tells|notifies|tags|warns|sends|calls|shows|lists|lets|keeps|adds|asks|thanks|waits|posts|stores|creates|alerts)(?= )/gi
/** "I need an app where customers can leave reviews" */
const APP_WHERE =
  /^(?:(?:please )?(?:make|create|build|write)(?: me| us)? |(?:i|we)(?:'d| would)? (?:want|need|like|love) )?an? (?:[\p{L}-]+ ){0,2}app (?:where|in which|so that|with which) /iu
/** "sends" → "send" */
const asked = (verb: string): string => (/ies$/.test(verb) ? verb.replace(/ies$/, 'y') : verb.replace(/(?<=sh|ch|ss|x)es$|s$/, ''))
const END =
  /(?:[\s,]+(?:please|pls|plz|thanks(?: a lot| so much| in advance| very much)?|thank you(?: very much)?|thx|cheers|if possible|for now|for me|for us|ta))+$/i
const ALONE =
  /^(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|many thanks|thanks|thank you|thx|cheers|kind regards|best regards|regards|best wishes|that's (?:it|all)|that is (?:it|all)|please|(?:make|create|build|write|set up)(?: me| us)? (?:an?|this|the|my|our) (?:new )?app(?: (?:as follows|like this|that does (?:this|the following)|with the following|for (?:my|our) shop))?|(?:and )?then|(?:please )?do (?:this|these|the following)|(?:these are )?(?:the |my |our )?(?:requirements|wishes|steps|following)|here (?:is|are) (?:what|the|my|our)[\w ]{0,40})(?: (?:there|all|team|everyone|folks|a lot|a million|so much|ever so much|very much|again|already|in advance|for your help|for helping|for now|then))*[,!:]*$/i

/** What says nothing of an app: hopes, thanks, that there are wishes, that the rest stays as it is. */
const CHATTER =
  /^(?:(?:i|we) (?:really )?hope\b[^,;:«‹]{0,80}|(?:thanks|thank you)\b(?!.*\b(?:and|also|when|add|remove|after|for (?:each|every|their))\b)(?! (?:the |our |your |all |every )?(?:customer|buyer|client|them))[^«‹]{0,60}|(?:and )?(?:that's|that is|this is) (?:it|all|everything)\b[^«‹]{0,40}|(?:(?:i|we)(?: have(?: got)?|'ve(?: got)?)?|have(?: got)?|also have)(?: only| just)? (?:a few|some|quite a few|several|one|two|three|four|a couple of|many|\d{1,2})(?: small| little| more| quick)* (?:wish|thing|request|change|requirement|edit|idea)(?:s|es)?(?: (?:to make|for you|please|here|today))?|nothing (?:else|more)\b[^«‹]{0,30}|(?:everything|all)(?: else)? (?:else )?(?:stays|should stay|remains|can stay|is to stay|should remain|must stay)(?: as it is| the same| unchanged| like it is| as is)*|(?:the )?(?:rest|others?)(?: of it)? (?:stays?|should stay|remains?|can stay|is fine)(?: as (?:it is|they are)| the same| unchanged| as is)*|(?:please )?(?:leave|keep) (?:everything|the rest|all(?! \w))(?: else)?(?: (?:else|as it is|as is|alone|unchanged|the same|like it is))*|(?:please )?(?:don't|do not) (?:change|touch) (?:anything|the rest)(?: else)?|no (?:rush|hurry)|sorry\b[^«‹]{0,40}|let me know if (?:you|anything|something|there|this|it's|that)\b[^«‹]{0,60}|(?:please )?(?:(?:don't|do not|no need to|there(?: i|')s no need to|you needn't|we needn't) (?:store|save|keep|record)|nothing (?:has|needs|is|should) (?:to )?be (?:stored|saved|kept|recorded))(?: anything| any data| any records?| records?| it| data)*|(?:(?:(?:i|we)(?:'d| would)? (?:want|need|have|like)(?: to have| to keep)?|create|make|add|set up) )?(?:two|three|four|a few|some|several|\d)(?: different| new| separate)? (?:tables|lists|resources|record types|things|changes|edits|requests|wishes|small things)(?: please)?|(?:(?:and|so) )?(?:here (?:we|it) (?:go|goes|is)|see below|as follows)|you(?:'re| are) (?:great|the best|a star|welcome))$/i
/** Whose shop it is: nothing that an app does. */
const BACKGROUND =
  /^(?:(?:i|we)(?:'re| are|'m| am) (?:an?|the|just an?|only an?) [^,;:«‹]{2,80}|(?:i|we)(?: both| only| mostly)? (?:run|own|manage|sell|make|rent|repair|bake|roast|brew|build|grow|import|lend|hire|craft|print|breed|sew|cook|restore|frame|tune|trade in|deal in|rent out|have|operate)(?: out)? (?:(?<=(?:run|own|manage|operate) )(?:an? |the |our |my )[^,;:«‹]{2,60}|an? (?:small |little |tiny |family )?[^,;:«‹]{0,50}(?:shop|store|studio|bakery|company|business|roaster|roastery|brewery|workshop|salon|boutique|market|gallery|nursery|winery|farm|restaurant|cafe|café|garage|practice|clinic|hotel|school)\b[^,;:«‹]{0,40}|(?!an? |the )[^,;:«‹]{2,60}(?:, so this (?:matters|is important))?| (?:.*))|(?:my|our) (?:[\p{L}-]+ ){0,2}(?:shop|store|company|business|studio|workshop|bakery|school|clinic|salon|farm|garage|restaurant|hotel|roastery|brewery|nursery|gallery) (?:sells|makes|is|repairs|rents|rents out|offers|deals in|runs|has|imports|grows|teaches|hires out) [^,;:«‹]{2,60})$/iu
/** What has changed, or is so from a time on, may be known to an app by its old state. */
const NEWS = /\b(?:now|no longer|any ?more|from now on)\b|\d/i
const REQUESTS =
  /\b(?:keep|store|track|save|record|log|want|need|when|whenever|if|once|show|add|tag|notify|tell|should|must|please|remove|rename|with|and|unless|but|then|except|for (?:each|every))\b/i

const SIGNED =
  /^(?:(?:kind|best|warm|many)? ?(?:regards|wishes|greetings)|cheers|yours(?: truly)?|best|greetings|thanks|love|sincerely)(?: from)?,? (?:\p{Lu}[\p{L}.]+ ?){1,3}$/u
/** "Tattoo studio here": of whom it is. */
const HEADED = new RegExp(
  `^(?:(?:my|our|an?|the|this is (?:an?|the|my|our)|here is (?:an?|the|my|our)) )?(?:[\\p{L}'-]+ ){0,4}${BUSINESS}(?: here| speaking)?(?: in \\p{Lu}[\\p{L} ]+)?$`,
  'iu',
)

/** The words of thanks and hopes: a sentence with any other word is no courtesy. */
const POLITE = new Set(
  'create make want like have tables lists resources types record different separate that everything data anything store stored save saved records record rush hurry wanted needn those these have follows below your welcome great best star other another couple four five many thing things idea ideas edit today unclear thank thanks much very many ever lot million advance help helping helpful your you yours this that these those with for all again already everyone team guys folks have nice good great day week weekend best kind regards are is was were me us time support effort patience hope hoping not too clear works work well makes sense enough know question questions anything something unclear else more needed nothing sorry about long text message list bad english wish wishes things small little few quick some several changes changed unchanged change requests edits same stay stays stay should everything rest others please leave keep alone touch and the can remain remains fine here today possible it is if let need from there now then'.split(
    ' ',
  ),
)
const isPolite = (text: string): boolean => (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).every(word => POLITE.has(word))

/** "I need an app for my studio": of whom it is. */
const APP_ALONE =
  /^(?:(?:i|we)(?:'d| would)? (?:need|want|like)|(?:please )?(?:make|build|create)(?: me| us)?)(?: to have)? (?:an? )?(?:new |simple |small )*(?:app|application|tool) for (?:my|our|an?|the) (?:(?!(?:with|and|that|which|where|to|so)\b)[\p{L}'-]+ ?){1,5}$/iu

const isIdle = (text: string): boolean =>
  APP_ALONE.test(text) ||
  text === '' ||
  SIGNED.test(text.replace(/^\p{Ll}/u, first => first.toUpperCase()).replace(/^./, first => first.toLowerCase())) ||
  (HEADED.test(text) && !REQUESTS.test(text)) ||
  ALONE.test(text) ||
  (CHATTER.test(text) && isPolite(text)) ||
  (BACKGROUND.test(text) && !REQUESTS.test(text) && !NEWS.test(text))

/** @returns the sentence without its courtesies; empty where it is nothing else */
export function withoutCourtesy(sentence: string): string {
  let text = sentence.trim()
  for (let before = ''; before !== text; ) {
    before = text
    if (text.split(/,\s*(?:(?:and|but) )?| and (?=(?:(?:i|we) )?(?:have|'ve)\b)/i).every(isIdle) || isIdle(text)) return ''
    text = KEEPERS.reduce((whole, pattern) => whole.replace(pattern, 'we $1 '), text)
      .replace(GREETING, '')
      .replace(WISHES, '')
      .replace(
        /^(?:make|build|create|set up|prepare|give) (?:me|us) (?=(?:an? |the )(?:new )?(?:list|table|register|log|record|overview|database)\b)/i,
        'make ',
      )
      .replace(INTRODUCTION, '')
      .replace(FOR_BUSINESS, '')
      .replace(APP_FOR, '')
      .replace(TRADE, 'we ')
      .replace(OPENING, said =>
        BACKGROUND.test(said.replace(/,? (?:and|so|but)(?: that's why)? $/i, '')) &&
        !REQUESTS.test(said.replace(/,? (?:and|so|but)(?: that's why)? $/i, ''))
          ? ''
          : said,
      )
      .replace(/^(?:needed|need|wanted|want|wish|request): (?=(?:an? )?(?:new )?(?:table|list|resource|record type)\b)/i, 'keep ')
      .replace(/^(?:needed|need|wanted|want|wish|request|task|todo|to do|goal|requirement|feature|idea)(?:es|s)?: (?=\S)/i, '')
      .replace(ONE_THING, '')
      .replace(WISH_FOR_ASSISTANT, 'the assistant can ')
      .replace(
        new RegExp(`${APP.source}(?<rest>.*)$`, 'i'),
        (_all, verb: string, rest: string) =>
          asked(verb) + rest.replaceAll(ALSO_DOES, (_deed, link: string, also: string) => link + asked(also)),
      )
      .replace(APP_WHERE, '')
      .replace(WISH_TO_KNOW, (_all, how: string) => (/^warned/i.test(how) ? 'warn us' : 'notify us'))
      .replace(/^there (?:should|must|has to|needs? to|shall|ought to|is to)(?: also)? be (?=\S)/i, 'add ')
      .replace(
        /,? (?:i|we|you)(?:'d| would| should| must)? (?:like|want|need|do)(?: to do)? (?:these|the following|this|two|three|four|five)(?: (?:two|three|four|five))?(?: (?:things|steps|actions))?: ?/i,
        ': ',
      )
      .replace(REQUEST, '')
      .replace(END, '')
      .replace(
        /,? (?:and|but) ((?:please )?(?:leave|keep|everything|all|the rest|the others?|nothing|don't)\b.*)$/i,
        (all, rest: string) => (isIdle(rest) ? '' : all),
      )
      .replace(/(?<=\w{3}), (?:please|pls|kindly) (?=[a-z]+ (?:it|them|this|that|these|those|the|an?|our|my|all|every|each)\b)/i, ', ')
      .replaceAll(/,? ?\b(?:please|pls|kindly)\b(?=[\s,:.)]|$)/gi, '')
      .trim()
  }
  return text
}
