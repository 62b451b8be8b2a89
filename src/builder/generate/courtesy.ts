// What people say around what they want: greetings, thanks, "could you please", "I would like to". It changes nothing of what is meant.
import { ASSISTANT } from './names.ts'

const GREETING =
  /^(?:(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening))(?: (?:there|all|team|everyone|folks|\w+ team))?|ok(?:ay)?|so|well|actually|basically|right|please|kindly|just|ideally)\b(?:[,!:.-]+\s*|\s+)/i
/** "I run a bike shop and …": of whom it is, before what is wanted. */
const INTRODUCTION =
  /^(?:i|we)(?: both| only)? (?:run|own|manage|operate|keep) (?:an? |the |our |my )[^,:«‹]{1,60}?(?:,? (?:and|so|where)(?: that is why)?|,)\s+(?=(?:i|we|you|it|would|could|please|want|need)\b)/i
const REQUEST = new RegExp(
  `^(?:${[
    '(?:can|could|would|will) (?:you|we|i|it)(?: please| kindly| maybe| perhaps| possibly| also)*(?: be able to| help (?:me|us)(?: to)?)?',
    "(?:(?:i|we)(?:'d| would| do|'ll)?|would)(?: really| also| just)* (?:like|love|want|need|wish)(?: (?:you|it|the app|an app|this app|the system|somewhere|something|a place|a way))?(?: (?:that|which))? to",
    "(?:i|we)(?:'d| would)?(?: really| also| just)* (?:like|love|want|need|wish|prefer)(?: it)?(?: that)?(?= (?:when|if|once|after|every|each|new)\\b)",
    'is it possible to|would it be possible to|would you mind|it would be (?:nice|great|good|lovely|helpful) (?:if (?:you|we|it) could|to)',
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
/** "I want an app that sends …" */
const APP =
  /^(?:(?:please )?(?:make|create|build|write)(?: me| us)? |(?:i|we)(?:'d| would)? (?:want|need|like|love) )?an? app (?:that|which|to)(?: can| should| will)? (\w+)/i
/** "I need an app where customers can leave reviews" */
const APP_WHERE =
  /^(?:(?:please )?(?:make|create|build|write)(?: me| us)? |(?:i|we)(?:'d| would)? (?:want|need|like|love) )?an? app (?:where|in which|so that|with which) /i
/** "sends" → "send" */
const asked = (verb: string): string => (/ies$/.test(verb) ? verb.replace(/ies$/, 'y') : verb.replace(/(?<=sh|ch|ss|x)es$|s$/, ''))
const END = /(?:[\s,]+(?:please|thanks(?: a lot| so much)?|thank you(?: very much)?|thx|cheers|if possible|for now|for me|for us))+$/i
const ALONE =
  /^(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|many thanks|thanks|thank you|thx|cheers|kind regards|best regards|regards|best wishes|that's (?:it|all)|that is (?:it|all)|please|(?:make|create|build|write|set up)(?: me| us)? (?:an?|this|the|my|our) (?:new )?app(?: (?:as follows|like this|that does (?:this|the following)|with the following|for (?:my|our) shop))?|(?:and )?then|(?:please )?do (?:this|these|the following)|(?:these are )?(?:the |my |our )?(?:requirements|wishes|steps|following)|here (?:is|are) (?:what|the|my|our)[\w ]{0,40})(?: (?:there|all|team|everyone|folks|a lot|a million|so much|very much|in advance|for your help))*[,!:]*$/i

/** @returns the sentence without its courtesies; empty where it is nothing else */
export function withoutCourtesy(sentence: string): string {
  let text = sentence.trim()
  for (let before = ''; before !== text; ) {
    before = text
    if (ALONE.test(text)) return ''
    text = text
      .replace(GREETING, '')
      .replace(INTRODUCTION, '')
      .replace(WISH_FOR_ASSISTANT, 'the assistant can ')
      .replace(APP, (_all, verb: string) => asked(verb))
      .replace(APP_WHERE, '')
      .replace(REQUEST, '')
      .replace(END, '')
      .trim()
  }
  return text
}
