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
  [/\bgotta\b/gi, 'have to'],
  [/,? ?\b(?:asap|a\.s\.a\.p\.)(?=[\s,.!;]|$)/gi, ''],
  [/(?<=[\p{L}\d»)]) \+ (?=[\p{Ll}«])/gu, ' and '],
  [/(?<=[(,] ?)num(?=\s*[,)])/gi, 'number'],
  [/(?<=[(,] ?)(?:y|yes) ?\/ ?(?:n|no)(?=\s*[,)])/gi, 'yes/no'],
]

/** @param text without what is quoted, and without addresses */
export const inFull = (text: string): string => SHORT.reduce((said, [pattern, as]) => said.replace(pattern, as), text)
