// One meaning in many words. Each table was written by combining wordings, before the generator was taught to read them: what is told apart by " / " means the same.

/** What happens, by the event that it is. */
export const HAPPENINGS: [event: string, ways: string][] = [
  [
    'order.paid',
    `an order is paid / an order has been paid for / a customer pays for an order / someone pays / payment for an order arrives / a customer has settled an order / we receive payment for an order / the money for an order comes in / an order becomes paid / an order's payment goes through / somebody completes payment / a buyer has paid their order / a payment succeeds / a purchase is paid / we get paid for an order / an order payment is received`,
  ],
  [
    'order.created',
    `an order is placed / a customer places an order / a new order comes in / someone orders something / we get a new order / an order arrives / somebody buys something / a new order lands / a purchase is made / a shopper checks out / a client puts in an order / a new sale happens / an order gets created / we receive an order / there is a new order / an order has come in`,
  ],
  [
    'order.shipped',
    `an order ships / an order is shipped / a parcel leaves the warehouse / we ship an order / an order has gone out / we send out an order / an order gets dispatched / a package is on its way / an order goes out the door / a shipment leaves / we dispatch a parcel / an order has left our warehouse / an order is handed over to the courier / we have shipped an order / the parcel has been sent`,
  ],
  [
    'order.cancelled',
    `an order is cancelled / a customer cancels an order / someone cancels / an order gets canceled / we cancel an order / a buyer calls off an order / an order has been cancelled / somebody cancels their order / a cancellation comes in / a customer has cancelled / a client cancels his purchase`,
  ],
  [
    'order.refunded',
    `an order is refunded / we refund an order / a refund is made / a customer gets a refund / a refund goes out / we give someone a refund / a customer is refunded / an order gets refunded / somebody gets their money back / a refund has been issued / we issue a refund / a buyer receives a refund / we pay back an order`,
  ],
  [
    'order.status_changed',
    `an order's status changes / the status of an order changes / an order changes status / an order moves to another status / an order gets a new status`,
  ],
  [
    'product.low_stock',
    `a product runs low / stock of a product is low / a product is running out / a product is nearly sold out / we are running low on a product / an item gets low on stock / stock runs low / the stock of an item falls too low / there are only a few pieces left of a product / a product has low stock / inventory gets low / something is almost out of stock / a product is about to run out / we are running out of a product / a product drops below its threshold / an item is low`,
  ],
  [
    'product.created',
    `a new product is added / we add a product / a product is created / a new product appears in the catalogue / we list a new item / a new article is added to the shop / we launch a new product / someone adds a product to the shop`,
  ],
  [
    'contact.created',
    `a new contact is created / someone signs up / a customer registers / we get a new customer / a new contact comes in / a contact is added / there is a new customer / a new client joins / a new customer appears / a contact gets saved / somebody new registers / a customer creates an account / a new person is added to the contacts`,
  ],
  [
    'message.received',
    `a customer writes / a message arrives / someone messages us / a customer sends a message / we receive a message / a message comes in / a client contacts us / a customer gets in touch / somebody writes to the shop / we get a message from a customer / a new message is received / a customer texts us / a customer drops us a line / an enquiry comes in`,
  ],
  [
    'message.failed',
    `a message fails / a message could not be delivered / we cannot deliver a message / a message does not go through / sending a message fails / a message to a customer fails / a message can't be sent / delivery of a message fails / a message is not delivered / a message bounces`,
  ],
  [
    'conversation.started',
    `a conversation starts / a customer starts a chat / a new conversation is opened / someone opens a conversation / a chat begins / a conversation is started / somebody begins a conversation with us / a new chat comes in / a client opens a chat`,
  ],
  [
    'conversation.closed',
    `a conversation is closed / a chat ends / we close a conversation / a conversation has ended / an operator closes a chat / a chat has been closed / a conversation is over / a conversation with a customer is finished`,
  ],
  [
    'ai.escalation_requested',
    `the assistant asks for help / the bot needs a human / the assistant escalates / the AI hands over to a person / the assistant cannot answer / the chatbot gives up / the assistant wants a person to take over / the bot gets stuck / the assistant needs help from us / the bot doesn't know what to say / a conversation is handed over to a human / the assistant calls a colleague / help from a human is requested`,
  ],
  [
    'payment.disputed',
    `a payment is disputed / a customer disputes a payment / there is a chargeback / a chargeback comes in / somebody disputes a payment / a payment gets charged back / a dispute is opened / we get a chargeback / a buyer contests a payment`,
  ],
  [
    'contact.tagged',
    `a contact is tagged / a tag is added to a contact / a customer gets a tag / someone tags a contact / we tag a customer / a contact receives a tag`,
  ],
]

/** What is done, by the step that it is. */
export const STEPS: [step: string, ways: string][] = [
  [
    'tag vip',
    `tag the customer as vip / tag them vip / the customer is tagged vip / the customer should be tagged as "vip" / give the customer the tag vip / give the customer a vip tag / add the tag vip to the customer / put the tag "vip" on the customer / the customer gets the tag "vip" / mark the customer as vip / label the buyer "vip" / the tag vip should be added to the customer / I want the customer tagged vip / the buyer receives the tag vip / add a vip tag / flag the customer as vip / assign the customer the tag vip / have the customer tagged as vip / set the tag vip on the contact / attach the label "vip" to the customer / apply tag vip / add 'vip' to the customer's tags / the contact must be labelled vip / tag: vip / the customer becomes "vip" / make sure the customer has the tag vip`,
  ],
  [
    'notify',
    `notify the team / tell the team / let us know / inform the staff / the team should be told / send the team a notification / send a notification to the team / we want to know / the team gets a notification / ping us / give the team a heads-up / alert the staff / drop the team a note / make the team aware of it / keep us informed / the staff must be informed about it / our team needs to know / show a notification to the team / I want to be notified / a notification should go to the team / let my colleagues know / the operators should hear about it / notify everyone on the team / create a notification / message the team / send us a message / I should get an alert / report it to the team / let the owner know about it / the shop team is notified`,
  ],
  [
    'notify!',
    `warn the team / send the team a warning / the team should be warned / notify the team as a warning / raise a warning / notify the team with a warning / give us a warning / send out a warning to the team / alert the team with level warning / show the team a warning / we should get a warning / a warning should be sent to the team / notify the team (level: warning) / create a warning notification for the team`,
  ],
  [
    'say Hi there!',
    `send the customer "Hi there!" / message the customer: "Hi there!" / write "Hi there!" to the customer / the customer gets the message "Hi there!" / the customer should receive "Hi there!" / send a message to the customer saying "Hi there!" / tell the customer "Hi there!" / send them a message: "Hi there!" / reply with "Hi there!" / say "Hi there!" to them / the message "Hi there!" should be sent to the customer / text them "Hi there!" / they get a message that says "Hi there!" / answer "Hi there!" / let the customer know: "Hi there!" / send the buyer this message: "Hi there!" / drop them a line: "Hi there!" / send "Hi there!" / greet the customer with "Hi there!" / have "Hi there!" sent to the customer / the customer is sent the text "Hi there!" / send the customer a message with the text "Hi there!" / write to the buyer, "Hi there!" / message them with the words "Hi there!"`,
  ],
]

/** What the order that is paid is like, by the condition that it is. */
export const LIKE: [condition: string, ways: string][] = [
  [
    'event.order.total_amount gt 10000',
    `over 100 euros / above €100 / of more than 100 EUR / worth more than 100 euros / with a total above 100 / that costs more than 100 euros / exceeding 100 euros / bigger than 100 euros / whose total is over 100 euros / for more than 100 euros / that is worth over 100 euros / with a value of over 100 euros / higher than 100 euros / that comes to more than 100 euros / totalling more than 100 euros`,
  ],
  [
    'event.order.total_amount gte 10000',
    `of at least 100 euros / of 100 euros or more / from 100 euros up / worth at least 100 euros / with a total of at least 100 / of 100 euros and above / of minimum 100 euros / for 100 euros or more / starting at 100 euros`,
  ],
  [
    'event.order.total_amount lt 2000',
    `under 20 euros / below €20 / of less than 20 euros / that costs less than 20 euros / smaller than 20 euros / cheaper than 20 euros`,
  ],
  [
    'event.order.shipping_address.country eq "FR"',
    `to France / that goes to France / for France / from France / shipping to France / that is shipped to France / delivered to France / whose country is France / with an address in France / going to France / destined for France`,
  ],
  [
    'event.order.discount_amount gt 0',
    `with a discount / that has a discount / that was discounted / with a discount code / with a reduced price`,
  ],
  [
    'event.order.note exists true',
    `with a note / that has a note / with a comment / that contains a note / that comes with a note / with a customer note`,
  ],
]

/** What has to hold, by the event and the condition. */
export const IFS: [event: string, condition: string, ways: string][] = [
  [
    'order.paid',
    'event.order.total_amount gt 10000',
    `its total is over 100 euros / it is over 100 euros / the total is more than 100 / the order is worth more than 100 euros / it costs more than 100 euros / the total exceeds 100 euros / the amount is above 100 euros / it comes to more than 100 euros / the sum is higher than 100 euros / they spent more than 100 euros / the order was bigger than 100 euros`,
  ],
  [
    'order.paid',
    'event.order.shipping_address.country eq "FR"',
    `it goes to France / it ships to France / the country is France / the customer lives in France / it is for France / the shipping address is in France / the delivery country is France`,
  ],
  [
    'order.paid',
    'event.order.payment.method eq "cod"',
    `it is cash on delivery / it is paid by cash on delivery / the payment method is cash on delivery / the customer chose cash on delivery`,
  ],
  [
    'order.cancelled',
    'event.refund_pending eq true',
    `a refund is pending / a refund is still due / there is a refund pending / the refund is pending`,
  ],
  [
    'order.refunded',
    'event.refund.full eq true',
    `it was refunded in full / the refund is full / it is a full refund / the whole amount was refunded / it was fully refunded`,
  ],
  [
    'message.received',
    'event.message.text contains "refund"',
    `it contains the word "refund" / it mentions "refund" / the text contains "refund" / the word "refund" appears in it / it says "refund" / the message includes "refund" / "refund" is in the text`,
  ],
  [
    'message.received',
    'event.conversation.platform eq "whatsapp"',
    `it comes via WhatsApp / it was sent on WhatsApp / it is on WhatsApp / the channel is WhatsApp / the platform is whatsapp / it came over WhatsApp`,
  ],
  [
    'product.low_stock',
    'event.available lt 3',
    `fewer than 3 are left / there are less than 3 left / fewer than three pieces remain / the stock is below 3 / less than 3 are available / fewer than 3 units are in stock`,
  ],
]

/** Where records are shown and what they are linked to. */
export const PLACES: [relation: string, view: string, ways: string][] = [
  [
    'contact',
    '',
    `They belong to a customer. / Each belongs to a contact. / A zebra belongs to a customer. / Link them to the customer. / They are linked to contacts. / Every zebra is connected to a contact. / Zebras belong to contacts. / They are per customer. / Attach them to the customer. / Each zebra is tied to a customer. / It belongs to a client. / One customer can have many zebras. / A customer has several zebras. / Customers have zebras. / A zebra is always of one customer. / Related to contacts. / belongs to contact. / Each one is assigned to a customer. / They hang on the customer.`,
  ],
  [
    'product',
    '',
    `They belong to a product. / Link each to the product. / Each zebra is for one product. / They are about products. / A product has many zebras.`,
  ],
  [
    'contact',
    'contact.tabs list',
    `Show them in a tab on the contact. / Show them under each customer. / They are shown on the contact card. / Display them on the customer page. / I want to see them at the customer. / They appear in a tab of the customer. / Show them as a tab at contacts. / List them on the customer's page. / The zebras should be visible on the contact. / Zebras show up under the customer. / Put them in a tab on contacts. / We want to see them on each contact. / They should be listed with the customer. / There should be a tab with them on the contact. / Each contact gets a tab with its zebras. / Add a tab on the contact for them. / Show the zebras of a customer on the contact. / The contact has a tab for zebras. / Make them visible in the customer card.`,
  ],
  [
    'product',
    'product.tabs list',
    `Show them in a tab on the product. / Show them under each product. / They appear below the product. / Each product gets a tab with them. / Display them with the product. / They are visible on the product page.`,
  ],
  [
    '',
    'dashboard.page list',
    `Show them on a page. / Show them on a page in the dashboard. / List them on a dashboard page. / They get their own page. / Add a page that lists them. / There should be a page with all zebras. / I want to see them all on one page. / Put them on a page of their own. / A dashboard page shows them. / They should have a page in the dashboard. / Show all zebras in the dashboard. / Make a page with a list of them. / And a page to see them all. / With a page in the dashboard.`,
  ],
]

/** A field, by what it is. */
export const FIELD: [field: string, ways: string][] = [
  [
    'name:string!',
    `name (required) / a required name / name, required / a name (text, required) / name: text, required / a name, which is required / name (mandatory) / a mandatory name / name* / the name (must be given) / name - required text / name string required / a name that is mandatory / name as required text / name (required, text) / a compulsory name / name (obligatory) / name which must be filled in`,
  ],
  [
    'note:string',
    `a note / note / note (text) / a text field note / note as text / note: text / an optional note / note (optional) / a note, optional / note: string / the note (free text) / a note which is optional / note, if there is one / a short text called note`,
  ],
  [
    'score:number',
    `score as a number / score (number) / score: number / a numeric score / a score which is a number / a number called score / score - number / score in percent / the score as number / score integer / score (whole number) / score (numeric) / a number field score / a score between 1 and 10 / score from 1 to 5 / a score out of 10`,
  ],
  [
    'active:boolean',
    `active yes/no / active (yes/no) / whether it is active / whether it's active / active: boolean / a boolean active / active as yes or no / active (boolean) / a yes/no field active / if it is active or not / active or not / active (true/false) / a checkbox active / a flag for active / an active flag / active - yes or no / active? / whether or not it is active / active (y/n)`,
  ],
  [
    'visit:date',
    `visit (date) / visit as a date / visit: date / a date field visit / visit - date / a date called visit / visit as date / visit (a date) / visit which is a date`,
  ],
  [
    'level:low|high',
    `a level of low or high / level (low, high) / level: low or high / level low/high / a level that is low or high / level (low or high) / a level which can be low or high / level (low/high) / level (one of low, high) / level, either low or high / level being low or high / level (choice: low, high) / level: low | high / level (enum: low, high) / level as low or high / a level, low or high / level (low | high) / an enum level of low and high / a choice level: low or high / a level with the options low and high`,
  ],
]

/** A setting, by what it is. */
export const SETTING: [setting: string, ways: string][] = [
  [
    'api_key:secret',
    `There is a secret setting api_key / Setting: api_key (secret) / The admin enters an api_key, which is secret / Add a secret setting called api_key / The app has a secret api_key / A secret setting "api_key" / Config: api_key (secret) / One secret: api_key / api_key is a secret setting / There should be a secret setting named api_key / Have a setting for the api key (secret)`,
  ],
  [
    'region:string!',
    `There is a required setting region / Setting: region (text, required) / The admin must enter a region / It needs a required setting called region / Add a required text setting called region / region is a required setting / A setting region, which is required / The shop has to give a region in the settings / A mandatory setting "region" / Config: region (string, required) / There is a setting region that must be filled in / The owner has to set the region / There must be a setting called region, mandatory`,
  ],
  [
    'max_days:number',
    `There is a number setting max_days / Setting: max_days (number) / The admin can set max_days, a number / Add a numeric setting called max_days / It has a setting max_days (number) / The shop chooses max_days (a number) in the settings / A setting called max_days, which is a number / Config: max_days as a number / Settings: max_days: number / One setting, max_days, a number`,
  ],
  [
    'mode:slow|fast',
    `There is a setting mode, slow or fast / Setting: mode (slow or fast) / The admin can choose a mode of slow or fast / Add a setting mode: slow or fast / It has a setting mode that is slow or fast / A setting called mode which can be slow or fast / Config: mode (enum: slow, fast) / Settings: mode (slow, fast)`,
  ],
  [
    'debug:boolean',
    `There is a yes/no setting debug / Setting: debug (yes/no) / Add a boolean setting called debug / Config: debug (boolean) / It has a setting debug that is yes or no / A setting debug, true or false`,
  ],
]

/** What the assistant knows. */
export const KNOWN_WAYS = `The assistant should know that we close on Mondays / The assistant knows that we close on Mondays / Tell the assistant that we close on Mondays / Teach the bot that we close on Mondays / Knowledge: we close on Mondays / The AI must be aware that we close on Mondays / Let the assistant know that we close on Mondays / The bot has to know: we close on Mondays / Add to the knowledge: we close on Mondays / Knowledge for the assistant: we close on Mondays / The assistant should remember that we close on Mondays / Add a knowledge entry: we close on Mondays / Make sure the assistant knows that we close on Mondays / The chatbot should tell people that we close on Mondays / If customers ask, the assistant should say that we close on Mondays / FAQ: we close on Mondays / Something the assistant should know: we close on Mondays / Fact for the bot: we close on Mondays`
