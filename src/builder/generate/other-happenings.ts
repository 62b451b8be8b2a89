// What happens and is said in ways of its own: stock that is low, messages that come or fail, an assistant that wants help.

/** What it is said as, and how the table of triggers knows it: $q is what is said of the thing, and $r what follows. */
export type Reading = [RegExp, string]

/** What of a product a change may be of. */
const MEMBER = '(?:price|stock|name|title|category|description|sku|status|images?|pictures?|tags?)'

export const OTHERS: Reading[] = [
  [
    /^(?:we|i) (?:(?:have|just) )*(?:receive|received|get|got|take|took) (?:an? |the |any |another )?(?:new )?(?:order|purchase|booking)s?(?<r>(?: .*)?)$/i,
    'order is placed $r',
  ],
  [
    /^(?:(?:an? |the |each |every |any |all |all the )(?:new |incoming )*|new |incoming )(?:orders?|purchases?|sales?)$/i,
    'order is placed',
  ],
  [
    /^(?:an? |the |any )?(?:customer|client|buyer|someone|somebody) (?:leaves?|left|adds?|added|writes?|puts?|gives?) (?<r>(?:an? |the |some )?(?:note|comment|remark)s?)(?: (?:on|to|with|in|for|at) (?:an? |the |their |his |her )?(?:orders?|purchases?|checkout))$/i,
    'order is placed with $r',
  ],
  // Money goes back.
  [
    /^(?:an? |the )?(?:customer|client|buyer|contact|someone|somebody) (?:(?:is|was|gets|got|has been) )+(?:refunded|reimbursed)(?<r>(?: .*)?)$/i,
    'order $q is refunded $r',
  ],
  [
    /^(?:an? |the )?(?:customer|client|buyer|contact|someone|somebody) (?:gets?|got|receives?|has got) (?:his|her|their|the) money back(?<r>(?: .*)?)$/i,
    'order $q is refunded $r',
  ],
  [
    /^(?:an? |the )?(?:customer|client|buyer|contact|someone|somebody) (?:has |have )?(?:cancelled|canceled)(?<r>(?: .*)?)$/i,
    'order $q is cancelled $r',
  ],
  // What is left is little.
  [
    /^(?:there (?:are|is) )?(?:only )?(?:an? )?(?:few|little|not (?:many|much)|hardly any(?:thing)?|almost no(?:thing|ne)?|almost none)(?: (?:pieces|items|units|stock))?(?: (?:is|are))? left(?: (?:of|from|in stock of) (?:an? |the |any )?(?:product|item|article))?$/i,
    'product is low',
  ],
  [
    /^(?:we|i) (?:(?:are|am|have|nearly|almost|soon|about to|get|getting) )*(?:run|runs|running) (?:out|low|short) (?:of|on) (?:an? |the |any |some )?(?:product|item|article|something|anything|stock)s?$/i,
    'product is low',
  ],
  [
    /^(?:an? |the |our |any |every |each |some )?(?:product|item|article|something|anything|goods|stock|sku)s?(?:'s?)?(?: (?:of|for) (?:an? |the |any )?(?:product|item|article)s?)?(?: stock| inventory)?(?: (?:that|which))? (?:(?:is|are|gets?|getting|going|falling|has|have|was|were|goes|becomes|nearly|almost|soon|about to|going to|starts?|begins?|too) )*(?:to )?(?:be )?(?:low|lows?|running (?:out|low|short)|runs? (?:out|low|short)|run (?:out|low|short)|sold out|sells? out|selling out|out of stock|scarce|gone|low stock|in short supply|depleted|(?:drops?|falls?|dropped|fallen|sinks?|goes) (?:below|under|to|beneath) (?:its|the|their) (?:threshold|limit|minimum|low[ -]stock (?:threshold|level)))(?: (?:on|in|of) stock)?(?<r>(?: .*)?)$/i,
    'product is low $r',
  ],
  [
    /^(?:the )?(?:stock|inventory|availability|number|quantity)(?: (?:of|for) (?:an? |the |any |some )?(?:product|item|article|something|anything)s?)? (?:(?:falls?|drops?|goes|sinks?|gets?|is|has (?:fallen|dropped)) )+(?<r>(?:below|under|less than|to less than|lower than|beneath) \d.*)$/i,
    'product is low $r',
  ],
  [
    /^(?:there (?:are|is) )?(?<r>(?:(?:fewer|less|not more|no more) than|under|below|at most) \d+)(?: (?:pieces|items|units|copies|bottles|packs))?(?: (?:left|available|remaining|in stock|on stock))?(?: of (?:an? |the |any |some |one )?(?:product|item|article|something)s?)?(?: (?:is|are|remains?|left|still|available|in stock|on stock|in the warehouse))*$/i,
    'product is low $r',
  ],
  // A field of a product is changed.
  [
    new RegExp(
      `^(?:the |a |any |some )?(?<r>${MEMBER})(?: of (?:an? |the |any |our |some |one of our |one of the )?(?:product|item|article)s?)? (?:(?:is|are|was|has been|have been|gets?|has) )?(?:changes?|changed|updated|edited|adjusted|modified|raised|lowered|increased|reduced|altered)$`,
      'i',
    ),
    'a product is updated with a new $r',
  ],
  [
    new RegExp(
      `^(?:an? |the |any |our |some )?(?:product|item|article)(?:'s|s')? (?<r>${MEMBER}) (?:(?:is|are|was|has been|have been|gets?|has) )?(?:changes?|changed|updated|edited|adjusted|modified|raised|lowered|increased|reduced|altered)$`,
      'i',
    ),
    'a product is updated with a new $r',
  ],
  [
    new RegExp(
      `^(?:we|i|someone|somebody|an? (?:admin|operator|colleague)) (?:changes?|changed|updates?|edits?|adjusts?|raises?|lowers?) (?:the |a )?(?<r>${MEMBER}) of (?:an? |the |any |our |some )?(?:product|item|article)s?$`,
      'i',
    ),
    'a product is updated with a new $r',
  ],
  // Who writes.
  [
    /^(?:an? |the |any |every |each |some |our )?(?:customer|client|buyer|contact|someone|somebody|anyone|person|shopper|visitor|people)s?(?<q>(?: (?:tagged|with|from|in|on) .{1,50}?)?) (?:(?:has|have|just) )*(?:gets?|got|getting|is|are)? ?(?:in touch|in contact|reach(?:es|ed)? out|drops? (?:us |me )?a (?:line|note|message)|dropped (?:us )?a (?:line|note)|leaves? (?:us )?a message|writes? in|sends? (?:us )?something|replies|replied|answers)(?: (?:with|to) us| to me)?(?<r>(?: .*)?)$/i,
    'a customer $q writes $r',
  ],
  [
    /^(?:an? |the |our |any |every |each |all )?(?:new |incoming |inbound )*(?:message|enquiry|inquiry|question|request|dm|text)s?(?: (?:of|by|from) (?:an? |the |any )?(?:customer|client|contact|buyer|someone)s?)?(?: (?:that|which))?(?: (?:(?:is|are|was|gets|has|have|been) )*(?:received|arrives?|arrived|comes? in|came in|reaches us|lands|in))?(?<r>(?: (?:about|with|that|which|containing|mentioning|via|on|over|from|saying|in which|and)\b.*)?)$/i,
    'a message arrives $r',
  ],
  [
    /^(?:an? |the |any |every |each )?(?:customer|client|buyer|contact|someone|somebody|anyone|person|visitor)s? (?:\w+ ){1,4}by (?:writing|sending|typing|texting)(?: us| in)?(?<r> .*)$/i,
    'a customer writes $r',
  ],
  // What is not delivered.
  [
    /^(?:(?:the )?(?:delivery|sending) of )?(?:an? |the |our |any |every |each )?(?:failed |undelivered |undeliverable )?message(?:s)?(?: (?:to|for) (?:an? |the |our )?(?:customer|client|contact|buyer)s?)?(?: (?:that|which))?(?: (?:fails?|failed|bounces?|bounced|gets? lost|(?:is|are|was|were|does|do|did|could|can|has|have) ?(?:not|n't)? ?(?:not )?(?:be |been )?(?:get |go |come )?(?:sent|delivered|through|arrive|out|reach .{1,20}|undeliverable|failing|failed)))+(?<r>(?: .*)?)$/i,
    'a message fails $r',
  ],
  [
    /^(?:we|the (?:shop|app|system)) (?:can ?not|can't|could not|couldn't|are unable to|fail to) (?:deliver|send) (?:an? |the |any )?message(?<r>(?: .*)?)$/i,
    'a message fails $r',
  ],
  [/^(?:an? |the |each |every |any |all |all the )?(?:failed|undelivered|undeliverable) messages?(?<r>(?: .*)?)$/i, 'a message fails $r'],
  // A tag.
  [
    /^(?:an? |the )?tag (?<q>(?:«\d+» |[\w-]+ )?)(?:(?:is|was|gets|has been) )+(?:added|given|put|set|attached|assigned|applied)(?: (?:to|on) (?:an? |the |any )?(?:customer|contact|client|buyer))?$/i,
    'a contact is tagged $q',
  ],
  // A person is wanted.
  [
    /^(?:an? |the |our |any |every )?(?:conversation|chat) (?:(?:is|gets|was|has been) )+(?:handed (?:over|on)|passed (?:over|on)|transferred|escalated|forwarded)(?: to (?:an? |the |one of )?(?:human|person|operator|colleague|us|team|somebody|someone))?$/i,
    'the assistant asks for a human',
  ],
  [
    /^(?:the )?(?:help|support|assistance|intervention)(?: (?:from|of|by) (?:an? |the )?(?:human|person|operator|colleague|team))?(?: (?:is|gets|was))? (?:requested|needed|wanted|asked for)$/i,
    'the assistant asks for a human',
  ],
  [
    /^(?:the |our |an? )?(?:assistant|bot|chat ?bot|ai)(?: assistant)? (?:(?:is|gets|has|was|does|do|has got) )*(?:(?:not|n't) )?(?:stuck|(?:calls?|fetche?s?|gets?|wants?|needs?|asks?(?: for)?|requests?|brings? in|turns? to) (?:(?:the )?help (?:from|of) )?(?:an? |the |one of |some )?(?:human|person|people|colleague|operator|help|help from us|staff|team|us|somebody|someone)(?: to (?:take (?:it )?over|help(?: out)?|step in|answer|reply|respond|talk|speak))?|(?:know|understand)(?: (?:what|how) (?:to (?:say|do|answer|reply|respond|help)|it (?:is|was) asked)| the (?:answer|question|message)| (?:what|how))?|escalates?|hands? (?:(?:it|(?:an? |the |this )?(?:chat|conversation|customer|talk)) )?over(?: to (?:an? |the |one of |some )?(?:human|person|people|colleague|operator|staff|team|us|somebody|someone)(?: agent)?)?)$/i,
    'the assistant asks for a human',
  ],
  [
    /^(?:an? |the )?order (?:(?:gets?|has|receives?|moves? (?:in)?to|goes (?:in)?to|changes? (?:in)?to) )+(?:an? |the )?(?:new|another|different) (?:status|state|stage)$/i,
    'an order status changes',
  ],
]
