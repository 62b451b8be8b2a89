// How people say that something is kept: "for every client we need to save his measures", "repairs are tracked per customer".

export const KEEPS =
  '(?:keeps? track of|keeps?|tracks?|stores?|saves?|records?|logs?|manages?|collects?|remembers?|adds?|creates?|makes?|has|have|hold|holds|notes?(?: down)?|writes? down|registers?|captures?|jots? down|sets? up|builds?|maintains?)'
/** "Repairs are tracked per customer" */
const ARE_KEPT =
  /^(.{2,60}?) (?:(?:is|are)|(?:should|must|shall|can|need to|have to|has to) be) (?:tracked|kept|stored|recorded|logged|saved|registered|collected)(?= |$)/i

/** What records are linked to, by what people call it. */
export const ENTITIES = new Map([
  ...['contact', 'customer', 'client', 'buyer'].map(each => [each, 'builtin:contact'] as const),
  ...['product', 'article'].map(each => [each, 'builtin:product'] as const),
  ['order', 'builtin:order'] as const,
])

/** "For every client we need to save his measures: …" */
const FOR_EACH = new RegExp(
  `^(?:for )?(?:each|every|any|all)(?: of (?:the|our|my))? (contact|customer|client|buyer|product|article|order)s?,? (?:(?:i|we) (?:want|need|would like|have|like) )?(?:to )?(${KEEPS}) (?:his|her|their|its) (.+)$`,
  'i',
)

/** "We need two lists: instruments (…) …": what stands before the first of them. */
export const SEVERAL =
  /^(?:(?:i|we) (?:want|need|would like|have|keep)(?: to (?:keep|have|store))?|keep|store|add|create|make) (?:two|three|four|five|several|some|a few|these|\d)(?: new| separate| different)? (?:lists|tables|resources|things|registers|record types|kinds of records?)(?: please)?: (?=[^:]*(?:[(:]| with ))/i
/** "For each book we keep a grading: …", where a book is nothing that an app knows of. */
const FOR_ANY = new RegExp(
  `^for (?:each|every|any|all)(?: of (?:the|our|my))? ([\\p{L}-]{2,30}?)s?,? (?:i|we) (?:(?:want|need|would like|have|like) (?:to )?)?(?:${KEEPS}) ((?:an? |the )?[\\p{L} -]{2,40}(?::| with | \\().+)$`,
  'iu',
)

/** What is kept, in the words that the reader of resources knows. */
export const plainly = (told: string): string =>
  told
    // "a batch is something with a code": it has one.
    .replace(
      /^((?:an?|each|every|one) [\p{L} -]{2,30}?) (?:is|means)(?: (?:something|a thing|an entry|a record|a row|one))? (?:with|that has|which has|having|made (?:up )?of|described by|consisting of) (?=\S)/iu,
      '$1 has ',
    )
    // "measurements (neck, chest) plus remarks" is one list.
    .replace(
      /^((?:(?!\b(?:with|has|have|having|which|that|consists?|contains?|includes?|holds?|comprises?|containing|including|holding|needs?|gets?|a|an)\b)[^(),:]){2,60})\(([^()]*,[^()]*)\),? (?:plus|and|as well as|and also) ((?:an? )?[\p{L}][\p{L} -]{1,30})$/iu,
      '$1($2, $3)',
    )
    .replace(
      /^(?:the )?(?:fields|columns|details|data(?: (?:that )?we keep)?) (?:for|of|about|on) (?:the |our |each |every )?(?!(?:each|every|contact|customer|client|product|order)\b)([\p{L} -]{2,30}?)(?: are)?: /iu,
      'keep $1: ',
    )
    .replace(/,? (?:that is|i\.e\.?|namely|meaning|which means|such as):? (?=[^,:]{2,40}(?:,| and ))/i, ': ')
    .replace(/^(?:new )?(?:records?|resource|table|record type|data)(?: type)?: ?(?=\p{L})/iu, 'keep ')
    .replace(/^(?:an? |some )?(?:new )?(?:place|room|space|section) for (?=[\p{L} -]{2,40}$)/iu, 'keep ')
    .replace(
      /^(?:our|my|the) [\p{L}]+ (?:need|want|require)s? (?:an? )?(?:(?:table|list|register|log|record) (?:of|for) )(?=[\p{L}])/iu,
      'keep ',
    )
    .replace(ARE_KEPT, 'track $1')
    .replace(
      /^((?:under|on|for|at) (?:every|each) (?:contact|customer|client|product|order)),? (?:i|we)(?:'d| would)? (?:want|need|like)(?: to)?(?: be able to)? (?:see|have|show|keep|list|store) (?:(?:its|their|his|her|the) )?([\p{L} -]{2,40})(?=:| with )/iu,
      'keep $2 $1',
    )
    .replace(
      /^(?:(?:i|we)(?:'d| would)? (?:like|want|need) )?(?:to have )?((?:(?!\b(?:is|are|be)\b)[\p{L} -]){2,40}?) (?:kept|stored|saved|recorded|tracked)(?: (?:as|in) (?:records?|an? (?:list|table)))?$/iu,
      'track $1',
    )
    .replace(/^((?:each|every|an?) [\p{L} -]{2,30}?) needs (?=(?:an?|the) )/iu, '$1 has ')
    .replace(
      /^(keep|store|record|track|save|note) ((?:an?|the) [^:]+(?:,| and )[^:]+?) for (?:each|every|all|any)(?: of the| our)? (product|customer|contact|client|order)s?$/i,
      'for each $3 $1 $2',
    )
    .replace(SEVERAL, 'keep ')
    .replace(FOR_ANY, (all, noun: string, rest: string) =>
      ENTITIES.has(noun.toLowerCase()) ? all : `keep ${rest.replace(/(?=:| with | \()/i, ` for the ${noun}`)}`,
    )
    .replace(
      /^(?:relations?:? (?:to |with )?|(?:linked|related|attached|connected|belongs|relates|relation|link)(?: (?:to|with))?: ?)(?=\S)/i,
      'linked to ',
    )
    .replace(
      /^for (?!each\b|every\b|all\b|any\b|the\b|our\b)([\p{L} -]{2,30}?),? (?:i|we) (?:(?:want|need|would like) to )?(?:need|want|keep|store|save|record|note|remember|know|track|write)(?: down| track of)?:? /iu,
      'keep $1: ',
    )
    .replace(/^(?:link|connect|attach|tie|relate) (.{2,60}?) (?:to|with) (?=\S)/i, '$1 linked to ')
    .replace(/^(?:it|they)(?:'s|'re) (?=linked|connected|attached|tied|shown|visible|related)/i, 'it is ')
    .replace(new RegExp(`^${KEEPS},? ((?:for (?:each|every)|per) (?:order|product|customer|contact|client)),? `, 'i'), '$1, ')
    .replace(FOR_EACH, (_all, noun: string, verb: string, rest: string) => {
      // "its ingredients, allergens and origin": no name of what is kept.
      if (!/:| with |\(/i.test(rest) && /,| and /.test(rest)) return `keep details for every ${noun}: ${rest}`
      const at = /:| with |$/i.exec(rest)?.index ?? rest.length
      return `${verb} ${rest.slice(0, at)} for every ${noun}${rest.slice(at)}`
    })
    .replace(
      /^(?:add|attach|give) (?:an? (?:list|table|log|record) of )?(?!(?:[\p{L}]+ )*(?:tabs?|pages?|fields?|tags?|notes?) to )(.{2,40}?) to (?:(?:each|every|all|our|the|my|all our)(?: of (?:the|our))? (contact|customer|client|product|order)s?|(contact|customer|client|product|order)s)((?: (?:of|in) (?:an?|the|our|my) [\p{L} -]{2,30}?)?)(?=:| with |$)/iu,
      (_all, what: string, one?: string, many?: string, of = '') => `keep ${what}${of} for every ${one ?? many}`,
    )
    .replace(
      /^(?:also )?(?:put|have|give me|give us|make|add|create|i want|we want|(?:i|we) need)(?: an?| the)? (?:list|table|overview|page) (?:of|with|for|that (?:shows|lists)|showing|listing) (?:all )?(?:the |our )?(.{2,40}?) ((?:on|in) (?:an?|its own|the|their own) .*)$/i,
      'show $1 $2',
    )
    .replace(/^(?:also )?put (?:all )?(?:the |our )?(.{2,40}?) ((?:on|in) (?:an?|its own|the|their own) .*)$/i, 'show $1 $2')
    .replace(/ (page|tab|panel|list)(?: of its own| of their own| for itself)(?= |,|$)/gi, ' $1')
    .replace(/ with (?:the |our |my |all )?(contact|customer|client)s?(?=: )/i, ' for every $1')
    .replace(
      /^((?:keep|store|save|record|add|note) [\p{L} -]{2,40}?) with (?:the |our |my |each |every |all )+(contact|customer|client|product|order)s?$/iu,
      '$1 for every $2',
    )
    .replace(/^((?:also )?(?:show|display|put|list|see) .{2,40}?) (?:as|in) (?:an? |one )(?:list|table)(?= (?:on|in) )/i, '$1')
    .replace(/,? (?:too|as well|also|instead)(?=,|$)/gi, '')

/** Between a thing and its fields. */
export const WITH =
  /,?\s+(?:each |every one )?(?:with|has|have|having|that has|that have|which has|which have|(?:which|that) (?:holds?|stores?|records?|keeps?)|holding|storing|containing|contains?|includes?|comprises?|consisting of|consists? of|(?:(?:is|are) )?(?:described|defined|characteri[sz]ed|made up) (?:by|of))(?: the| these| following)*(?: fields?| columns?)?:?\s+|\s*:\s+/i
