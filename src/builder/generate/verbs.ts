// Verbs as orders have them: "tagging" and "tags" are "tag".

/** Deeds of flows that are told as going on: "as well as warning the team". */
export const GERUND =
  '(?:tagging|notifying|warning|telling|sending|messaging|calling|creating|saving|recording|storing|waiting|asking|informing|alerting)'

export const plainVerb = (verb: string): string =>
  verb
    .toLowerCase()
    .replace(/^(?:tagging|tags)$/, 'tag')
    .replace(/^(?:notifies|notifying)$/, 'notify')
    .replace(/^(messag|creat|sav|stor|mak|writ)ing$/, '$1e')
    .replace(/(?<=[a-z]{2})ing$/, '')
    .replace(/(?<=sh|ch|ss|x)es$/, '')
    .replace(/(?<!s)s$/, '')
