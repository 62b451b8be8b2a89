// What is to be done, by the verb that the readers know: each rule takes a whole clause, or what is said within it.

/** What is said, and how the readers know it. */
export type Rule = [RegExp, string]

/** What is done, by the verb that the readers know. */
export const VERBS: Rule[] = [
  [/^(?:get rid of|throw (?:out|away)|do away with|scrap|ditch|bin|kill|lose|take out|strip|cut|erase) /i, 'remove '],
  [/^take (.{2,60}?) (?:out|away|off)$/i, 'remove $1'],
  [/\b(?:written|noted|jotted|taken|put|marked) down\b/gi, 'kept'],
  [/\b(?:writes?|notes?|jots?|takes?|puts?) down\b/gi, 'keep'],
  [
    /\b(?:keep|have|need|want|make|maintain|hold) (?:an? |the |our )?(?:file|overview|list|log|record|register|history|collection|track|account) of\b/gi,
    'keep',
  ],
  [
    /^(?:it would be (?:nice|great|good|handy|useful) (?:to|if (?:i|we|you|it) could)|would it be possible to|(?:i|we) (?:would like|want|need|wish|have|intend|plan|hope|decided|are going)(?: you| it| the app| this)? to|let us|let's|help (?:me|us)(?: to)?|make sure (?:that )?(?:you|we)?|be so kind as to|feel free to|what (?:i|we) want is(?: to)?|the idea is(?: to| that)?|the app (?:should|has to|needs to|must)|this app (?:should|has to|needs to|must)) /i,
    '',
  ],
  [
    /^(?:we|i) (?:are|run|sell|own|have|make|rent|offer|teach|keep|manage|work)\b[^«‹:]{3,200}?,? (?:and|so|but)(?: that is why| therefore)? (?=(?:we|i) (?:would|want|need|wish|hope)\b)/i,
    '',
  ],
  [/^(?:i|we) (?:would )?(?:very much |really |also |just )*(?:like|love|want|need|wish) to /i, ''],
  [/^it (?=(?:may|can|should|could)(?: also| not| never| only)* (?:read|see|look|write|create|change|edit|know)\b)/i, 'the assistant '],
  [
    /^(?:let me |let us |i (?:also )?|we (?:also )?|you )(?=(?:keep|track|store|save|record|log|note|collect|manage|register|add|create)\b)/i,
    '',
  ],
  [
    /^(?:set up|create|make|add|provide|give (?:me|us)|have|build|prepare|open)? ?(?:an? |some )?(?:new )?(?:place|way|room|space|possibility|table|list|section|area|something|somewhere)(?: where (?:i|we) can)? (?:to |for )(?:store|keep|save|record|track|note|log|collect|manage) /i,
    'keep ',
  ],
  [
    /^(?:set up|create|make|add|provide|have|build) (?:an? |some )?(?:new )?(?:place|room|space|section|list|table|register) for (?=[^:]{2,40}:)/i,
    'keep ',
  ],
  [
    /^(?:(?:set up|create|make|add|provide|have|build) )?(?:an? |some )?(?:new )?(?:place|room|space|section) for ([\p{L} -]{2,40})$/iu,
    'keep $1',
  ],
  [
    /^there (?:is|are|will be|should be) (?!(?:an? |one )?(?:rule|thing|problem|catch|point|issue|reason)\b)(?:an? |the |some )?(?:new )?(?:(?:table|list|register|resource|collection|log) (?:for|of|called|with) )?(?:(?:our|the|all) )?(?=[\p{L} -]{2,40}(?: with | \(|: ))/iu,
    'keep ',
  ],
  [/^note (?:down )?(?!that\b|the customer)(?=[\p{L} -]{2,40}(?: for (?:each|every)|,? with |: ))/iu, 'keep '],
  [
    /^(?:each|every|all|our|the) (customer|contact|product|order)s? (?:can |may |should |will )?(?:have|has|keep|own|owns|get|gets|bring|rent|hold|come with|comes with|carry) (?:an? |several |many |some |their own |its own )?(?:list of |number of |collection of )?((?!name\b|tag\b|tab\b|page\b)[\p{L}]+(?: [\p{L}]+)?)$/iu,
    'keep $2 for every $1',
  ],
  [
    /^(customer|contact|product|order)s (?:can |may )?(?:have|own|bring|rent|hold|come with|carry) (?:an? |several |many |some |their own )?(?:list of )?([\p{L}]+(?: [\p{L}]+)?)$/iu,
    'keep $2 for every $1',
  ],
  [
    /^(?:an?|one|every|each) ([\p{L}]+(?: [\p{L}]+)?) (?:is|gets) (?:issued|created|made|kept|written|recorded|stored|filled (?:in|out)|added) (?:per|for (?:each|every|an?)|with (?:each|every)) (customer|contact|product|order)$/iu,
    'keep $1 for every $2',
  ],
  [
    /^for (?:each|every|any|all)(?: of)?(?: the| these)? (?:entry|entries|record|records|one|ones|them|item|row),? (?:i|we) (?:would like to |want to |need to |would |should |have to )?(?:need|want|store|keep|save|record|note|track|know|see|have) /i,
    'fields: ',
  ],
  [
    /^for (?:an?|each|every|any|the|our|all) (?!customer|contact|order|product|client)([\p{L}]+(?: [\p{L}]+)?),? (?:i|we) (?:would like to |want to |need to |would |should |have to )?(?:need|want|store|keep|save|record|note|track|know|have) (?!(?:an? |the )?[\p{L} -]{2,30}(?::| with | \())/iu,
    'a $1 has ',
  ],
  [
    /^(?:the |a |an )?(.{2,40}?) (?:should|are|is)?(?: be)? ?(?:shown|visible|displayed|seen|there) when(?:ever)? (?:i|we|you|someone|the team) (?:open|look at|view|visit|click on|see)s? (?:an? |the |its |their )(customer|contact|product)(?:'s page)?$/i,
    'show $1 in a tab on the $2',
  ],
  [
    /^(.+?) (?:after|when|once|as soon as) (.+?),? but (?:first )?wait (?:for )?((?:an?|\w+) (?:minute|hour|day|week)s?)(?: first| before(?: that)?)?$/i,
    '$3 after $2, $1',
  ],
  [/^(?:add |create |write )?(?:an? )?(?:new |another |further |additional )(?=(?:knowledge|faq)\b)/i, 'add '],
  [/^[^:«‹]{3,150}?,? (?:so|and so|therefore|that is why|which is why) (?=(?:we|i) (?:would like|want|need|wish|keep)\b|please\b)/i, ''],
  [/^take (.{2,40}?) out of (.{2,60})$/i, 'remove $1 from $2'],
  [/^(?:add |create |make |have )?(?:an? )?(?:new |another |further )?(?:flow|automation|rule|workflow)(?: please)?: ?(?=\w)/i, ''],
  [
    /^we (?:say|call (?:it|them)|prefer|speak of|write) (\S+(?: \S+)?),? (?:not|instead of|rather than|and not) (\S+(?: \S+)?)$/i,
    'rename $2 to $1',
  ],
  [
    /^we (?:do not|no longer) (?:take|have|offer|sell|ask for|need|use|want) (.{2,40}?)(?: any ?more| any longer)?(?:,? (?:so|and) (?:please )?(?:remove|delete|drop) (?:it|that|them|this)(?: field| setting| list| page| tab| flow)?)?$/i,
    'remove $1',
  ],
  [/\btag (?:people|customers|the customer|them|everyone) (?=[\w-]+,? (?:not|instead of|rather than))/i, 'tag '],
  [/^(?:could|can|would|will) (?:the|this|your|our) app /i, ''],
  [
    /^(?:the |our )?(?:ai assistant|assistant|ai|bot|chat ?bot) (reads?|sees?|writes?|creates?|updates?) (?=(?:them|it|these|those|the|all)\b)/i,
    'the assistant may $1 ',
  ],
  [
    /^(?:add|write|leave|make|put) (?:an? )?(?:note|hint|line|entry|fact|text|reminder) for (?:the |our )?(?:ai assistant|assistant|chat ?bot|bot|ai)(?: that|:| saying(?: that)?)? /i,
    'the assistant should know that ',
  ],
  // "For each loan note the carrier, the borrower and a start date": its name is what is kept.
  [
    /^for (?:each|every|any|all)(?: of (?:the|our))? (?!customer|contact|order|product|client)([\p{L}]+(?: [\p{L}]+)?),? (?:(?:please|just|i|we|want to|need to|would like to) )*(?:note(?: down)?|record|keep|store|save|log|track|write down|remember|register) (?=[^:]*,)/iu,
    'keep $1: ',
  ],
  [/^for (?:each|every|any|all) (?:[\p{L}]+ ){1,2}(?:that )?(?:we|i) (?:sell|offer|carry|stock|make),? /iu, 'for every product, '],
  [
    /^(?:each |every |the |our |all )?(customer|contact|product|order)s? (?:should )?(?:gets?|have|has|needs?) (?:an? )?(?:list|table|log|record|register|history|collection) of ([^:(]{2,40}?)(?=:| \(| with )/iu,
    'keep $2 for every $1',
  ],
  [/^(?:build|create|make|set up|write) (?:me |us )?(?:an? )?(?:new )?app (?:with|for|of) (?=[^:]*\()/i, 'keep '],
  [
    /^(?:(?:i|we) (?:would )?(?:like|want|need) )?(?:each |every |all |the |our )?(customer|contact|product|order)s? (?:to have|(?:should|must) have) ((?!(?:an? )?(?:tab|page|tag)\b)(?:an? )?[\p{L} ]{2,30}(?:,| and ).{2,200}?)(?: (?:stored|kept|recorded|saved))?$/iu,
    'for each $1 keep $2',
  ],
  [/^rename (?:it|them|that) everywhere$/i, ''],
  [/^keep (?:the assistant|the bot|the ai) away from /i, 'the assistant should not see '],
  [
    /^(?:hide|conceal|keep) (.{2,40}?) (?:away )?from (?:the |our )?(?:ai assistant|assistant|chat ?bot|bot|ai)(?:'s eyes)?$/i,
    'the assistant must not read $1',
  ],
  [
    /^(?:show|expose|reveal|open|make) (.{2,40}?) (?:visible |readable |available |accessible )?to (?:the |our )?(?:ai assistant|assistant|chat ?bot|bot|ai)$/i,
    'the assistant may read $1',
  ],
  [/\boptionally (?:an? )?(?=\w)/gi, 'an optional '],
  [
    /^(?:add |there should be |have |create )?(?:an? )?(?:setting|option)s? (?:where|in which|with which|by which|that lets|so that|through which)(?: the)? (?:shop |store )?(?:owner|admin|manager|shop|team|user|we|i|they)s? (?:can |may |could |should )?(?:to )?(?:choose|set|enter|pick|select|define|configure|decide|change) (?:the |a |an |their |our )?/i,
    'add a setting ',
  ],
  [
    /^(?:be able to |can |i can |we can |it should be possible to )?(?:switch|turn) (?:the )?(.{2,30}?) on (?:and|or) off(?: (?:in|by|through|via|with) (?:the |a )?settings?)?$/i,
    'add a setting $1 (yes/no)',
  ],
  [/\bshould be (?:stored|kept|saved|treated|held|handled) as (?=an? )/gi, 'is '],
  [/ (?:this|the following|these things)(?=:)/i, ''],
  [/,? by (?:passing|sending|giving|handing over|providing|submitting)(?: it)? /i, ' with '],
  [
    /^(call|ping|notify|hit|post to) (‹\d+›) (?:for|on|after|with|at) ((?:each|every|any) [^,]+?),? and (?:hand over|hand it|pass(?: on| along| it)?|send(?: along| it)?|give(?: it)?|tell(?: it)?|transmit|include) (.+)$/i,
    'for $3, $1 $2 with $4',
  ],
  [
    /^(?:tell|inform|notify|update|call) (?:our |the |my )?(?:[\w-]+ ){0,3}(?:at )?(‹\d+›) (?:about|of|on|for) (?!the\b)([^,]+?),? (?:including|with|giving|passing|sending|along with) (.+)$/i,
    'on $2, call $1 with $3',
  ],
  [/^(make|mark) ([^,]+?) (?:as )?an? (required|mandatory|optional)(?: field| one)?(?=$|,)/i, '$1 $2 $3'],
  [/^(add .{2,60}?) to ((?:the )?[\w -]{2,40}?),? (?:which is |it is )?(required|mandatory|optional)$/i, '$1 ($3) to $2'],
  [/^call (?:it|that|this) («\d+»|[\w-]+(?: [\w-]+)?) (?:instead of|rather than) (?:the )?([\w -]{2,40})$/i, 'rename $2 to $1'],
  [
    /^(?:no one|nobody|none of us) (?:needs|uses|wants|reads|looks at) (.{2,60}?)(?: any ?more| any longer)?(?:,? (?:so|and) (?:please )?(?:remove|delete|drop|take) (?:it|them)(?: away| out)?)?$/i,
    'remove $1',
  ],
  [
    /^(?:do not|no longer|stop) (?:keep|store|save|record|track|note|ask for)(?:ing)? (?:the )?([\p{L}]+(?: [\p{L}]+)?)(?: any ?more| any longer)?$/iu,
    'remove the field $1',
  ],
  [
    /^(?:let|allow) ((?:the |our )?(?:ai assistant|assistant|chat ?bot|bot|ai)) (?:to )?only (?:read|see) (.{2,40})$/i,
    '$1 may read $2 but not write them',
  ],
  [
    /^(?:could|can|would|may|might|should) (?!you\b|we\b|i\b)((?:the |its |this )?[\w' -]{2,40}?) (also )?(?=(?:be|have|get|show|take|read|write|see|say|wait|only)\b)/i,
    '$1 should $2',
  ],
  [/^(?:move|bring|push|put|set) (.{2,40}?) (?:up|down)(?: to)? (?=\d|[€$£])/i, 'change $1 to '],
  [
    /^((?:change|set|raise|lower|increase|reduce|make|bump|move|put) )(?:the )?([\w -]{2,30}?) (limit|threshold|minimum|amount|maximum)(?= (?:to|from|at)\b)/i,
    '$1the $3 for $2',
  ],
  [/^instead of (.+?),? (use|take|set|give|send|tag|wait|have|make it|look for) (.+)$/i, '$2 $3 instead of $1'],
  [/^add an? (?:new )?field for (?:the )?/i, 'add a field '],
  [
    /^add (?:an? )?(?:new |another )?(?:field|column) to (?:the |each |every )?([\w -]{2,40}?) (?:that|which|to) (?:says?|tells?|shows?|holds?|records?|stores?|keeps?|notes?) (.+)$/i,
    'add $2 to $1',
  ],
  [/^for (?:our|the|my) [\p{L} ]{2,25},? (?=(?:add|keep|store|create|make|track|record|(?:i|we) (?:want|need|would))\b)/iu, ''],
  [
    /^(?:need |add |have |want |i need |we need )?(?:an? )?(?:place|field|way|spot) to (?:enter|set|put in|fill in) (?:our|the|my|an?) /i,
    'add a setting ',
  ],
  [
    /^(?:tell|teach|inform) (?:the |our )?(?:ai assistant|assistant|chat ?bot|bot|ai) (?=(?:our|the|that|we|it|there|all|customers)\b)/i,
    'the assistant should know that ',
  ],
  [/know that that /i, 'know that '],
  [
    /^(?:swap|replace|exchange|change) (\S+) (?:for|with|by|to) (\S+) in (?:the )?(.+? (?:flow|automation))$/i,
    'in the $3, replace $1 with $2',
  ],
  [/^add (an? (?:[\w/]+ )*field) to (.{2,40}?) (?:called|named) (.+)$/i, 'add $1 called $3 to $2'],
  [/^(?:hook|tie|connect|attach|wire|bind) (it|them|this|these|that|the .{2,30}?|[\w-]+)(?: up)? (?:to|with) /i, 'link $1 to '],
  [
    /^(?:put|place|bring|hang|stick|render|surface|present|offer|make) (it|them|this|these) (?:visible )?(?=(?:in|on|under|as|into|at|next to|beside)\b)/i,
    'show $1 ',
  ],
  [/^(.{2,40}?) (is|are) (required|optional) (?:in|for|on) (?:the )?([\w -]{2,40})$/i, '$1 of $4 $2 $3'],
  [
    /^give (?!them\b|it\b|him\b|her\b|us\b|me\b|the (?:customer|team|assistant))(?:the )?([\p{L}-]+(?: [\p{L}-]+)?) (an? (?!tag\b|page\b|tab\b|name\b|new name\b).+)$/iu,
    'add $2 to $1',
  ],
  // "make the deposit required for rentals"
  [
    /^(make|mark) (?:the )?([\w -]{2,40}?) (required|mandatory|optional) (?:for|in|on) (?:the |all |each |every |our )*([\w -]{2,40})$/i,
    '$1 $2 of $4 $3',
  ],
  [/^(.{2,40}?) becomes? (?:an? )?(required|mandatory|optional)(?: (?:setting|field|one|value))?$/i, '$1 is $2'],
  [/, not (?=(?:read|write|see|change|edit|create)\b)/i, ' but not '],
  [
    /^(?:keep|store|save|record|note|track|remember) (?=[^:]*\b(?:what|when|how|which|who|that)\b)[^:]*?\b(?:each|every|a|the|our|all) (customer|order|product)s?\b[^:]*: (?=[^:]*,)/i,
    'keep details for every $1: ',
  ],
  [
    /(?<=^|, |and |with )(?:an? |the )?(?:tick ?box|check ?box|yes\/no field|flag|switch) (?:(?:for|that says|saying|to say|telling|which says|that tells|which tells|that shows|to tell|telling us|about) )?(?:if|whether) /gi,
    'whether ',
  ],
  [/^(?:an? |the )?(?:tab|panel)s? (?:there|too|on it|for (?:it|them))$/i, 'show them in a tab'],
  [/^give (?!them\b|it\b|him\b|her\b)(.{2,40}?) (an? (?:page|tab|screen)\b.*)$/i, '$1 should have $2'],
  [
    /^(?:an? )?(?:new |another |further |additional |extra |one more )+(field|column|setting|value)s? (?:for|in|on|to|under) (?:the )?([\w' -]{2,40}?): ?(.+)$/i,
    'add a $1 to $2: $3',
  ],
]
