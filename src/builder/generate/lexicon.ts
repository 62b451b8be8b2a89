// The words that the readers know, and those that say nothing by themselves. What an app is told of in other words is in the app afterwards, or not understood.

const WORDS = `
a about above according account action active actually add admin admins after afterwards again ai alert all allow allowed along already also altogether always amount an and another
answer any anybody anyone anything anytime app appear apply archive are arrive article as asap ask assistant at attach automatic automatically away award
back backwards be because become been before begin behind being below belong beneath between beyond big bigger boolean bot both build bucks but buy buyer by
call called can cannot card cash case catalogue cent change channel chat chatbot check choice choose client code collect column come complain condition config configuration confirm connect
consist contact contain content conversation could count cover create crm currency customer
dashboard date day deal delay delete deliver delivery demand depend description desk detail different directly disable display do does done dollar down drop during
each earlier easily edit either email else employee empty enable end enter entry enum envelope equal escalate eur euro even event ever every everybody everyone everything except existing expect expose extra
fact false faq fast few field fill filled final find first five flag flow follow following follows for form format forward found four free from full further
gbp general get give given go goes going good got great group guest
had half hand handle happen has have having he head hear her here hers hide him his hit hold hour how human
i id if immediately important in include inform information input insert inside instantly instead integer into invoke is it item its itself
just keep kept kind know known knowledge
label last late later latest least leave left less let level like limit line link linked list little live log long longer look low
mail make mandatory many mark matter may me mean member mention menu merge message minute miss mistake modify moment month more most move much must my
name named namely nearby need needs new newest next nice no nobody none nor not note nothing notice notification notify now number
obligatory occur of off often on once one ones only open operator option optional or order other others otherwise our ours out over own owner
page panel pass pause pay people per percent perhaps person phone pick piece ping place please plus possible post pound present previous print private product profile property proper provide put
question quick quickly
raise react read ready really reason receive record refer regarding register relate remember remind reminder remove rename replace reply report request require required resource respective response rest result return right rule run
safe same save say screen search second secret see seen send sent separate service set setting shall she ship shop should show shown sign simple simply since skill so soon some somebody someone something somewhere sort speak spell staff stand start state status stay step still stock stop store straight string such sum support supposed sure system
tab table tag take talk team telephone tell ten text than thank that the their them then there these they thing think third this those three through ticket time timestamp title to today together told too top total touch track trigger true turn two type
under unless until up upon urgent us usd use used user usual usually
valid value very via view visible visit visitor
wait want warn warning was way we week welcome well went were what whatever when whenever where whether which while who whoever whole whom whose why will wish with within without word work worth would write written wrong wrote
yes yet you your yours zero
least minimum maximum exceed exceeds exceeding greater smaller larger lower higher cheaper fewer over
dispatch parcel package purchase sale refund cancel dispute payment bank transfer card cod cheque low run short inventory sold
tick office boss degree celsius version bump readable access knew embed teach tool query argument parameter tied assign hang plain aware push submit server transmit relay provided condition assuming appear chose chosen deduct twice once half hundred thousand dozen couple fortnight
telegram whatsapp instagram facebook viber web
six seven eight nine eleven twelve thirteen fourteen fifteen twenty thirty forty fifty sixty seventy eighty ninety
decimal bool checkbox numeric datetime select dropdown free datum
above fulfil fulfilled issue mandatory compulsory
isn aren doesn don didn can couldn shouldn won wasn weren hasn haven mustn needn both only less metre meter centimetre kilo kilogram gram litre liter inch foot feet km mile millimetre milligram never nor greet thank welcome apologise apologize congratulate wish hello goodbye several manager workspace split divide swap shorten extend prolong exchange increase reduce lower suspend resume activate deactivate switch limit restrict shift insert condition trigger using book ought stick slap assign able ability rid rather somewhere hr hrs min mins cm kg ml usually buyers gbp uah pln chf zloty hryvnia franc euros
ten made make making may mid yourself myself policy bought sold paid gone came come come ships written wrote sent spent spend
had has have having does did done doing is are was were been being
ship shipped shipping dispatch waybill tracking
sincerely regards thanks thx hello hey
boolean floats column columns cent cents quid dollar dollars pound pounds euro
auto true whatever
approved denied declined reject
upward upwards altogether furthermore moreover anyway regardless
address addresses completely partly partial fully update feedback opinion
`

export const KNOWN: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter(Boolean).map(stemOf))

/** A word without its ending. */
export function stemOf(word: string): string {
  return word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=[a-z]{2}[a-rt-z])s$/, '')
    .replace(/(?<=[a-z]{3})(?:ing|ed|es|e|er|ly)$/, '')
    .replace(/(?<=[a-z]{2})([bdgklmnprt])\1$/, '$1')
    .replace(/us$/, 'u')
}
