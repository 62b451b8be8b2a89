// Words as people shorten them when they type: "w/ a name", "pls", "msg".

const SHORT: [RegExp, string][] = [
  [/(?<=\s)w\/o (?=\S)/gi, 'without '],
  [/(?<=\s)w\/ ?(?=\S)/gi, 'with '],
  [/\bcostumer(s?)\b/gi, 'customer$1'],
  [/\bmsg(s?)\b/gi, 'message$1'],
  [/\bnotifs?\b/gi, 'notification'],
  [/\bcust(s?)\b(?!\.)/gi, 'customer$1'],
  [/\bu\b(?= (?:add|make|please|tag|send|show|keep|remove|rename|change|also|let|tell|create|set|put)\b)/gi, 'you'],
  [/\b(?:wanna|wannna)\b/gi, 'want to'],
  [/ ?>= ?(?=[\d€$£])/g, ' at least '],
  [/ ?<= ?(?=[\d€$£])/g, ' at most '],
  [/(?<=[\p{L}] ?)> ?(?=[\d€$£])/gu, ' over '],
  [/(?<=[\p{L}] ?)< ?(?=[\d€$£])/gu, ' under '],
  [/\bgotta\b/gi, 'have to'],
  [/,? ?\b(?:asap|a\.s\.a\.p\.)(?=[\s,.!;]|$)/gi, ''],
  [/(?<=[\p{L}\d»)]) \+ (?=[\p{Ll}«])/gu, ' and '],
  [/(?<=[(,] ?)num(?=\s*[,)])/gi, 'number'],
  [/(?<=[(,] ?)(?:y|yes) ?\/ ?(?:n|no)(?=\s*[,)])/gi, 'yes/no'],
]

/** "trigger: low stock; if: …; action: notify team" */
const LABELLED =
  /(?<=^|\n)([ \t]*(?:[-*•–] |\d{1,2}[.)] )?)(?:trigger|event|when)s?: *([^\n;:]{3,80}?)[;,.]? *(?:(?:condition|if|only if)s?: *([^\n;:]{3,80}?)[;,.]? *)?(?:actions?|do|then|steps?): *(?=\S)/gi

const labelled = (text: string): string =>
  text.replaceAll(
    LABELLED,
    (_all, mark: string, happens: string, so: string | undefined) => `${mark}When ${happens}${so === undefined ? '' : ` and ${so}`}, `,
  )

/** @param text without what is quoted, and without addresses */
export const inFull = (text: string): string => labelled(SHORT.reduce((said, [pattern, as]) => said.replace(pattern, as), text))
