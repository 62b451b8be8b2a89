/** What a shop puts into its pages to have the chat on them. */
export const snippetOf = (baseUrl: string, channel: string): string =>
  `<script src="${baseUrl}/chat.js" data-channel="${channel}" async></script>`
