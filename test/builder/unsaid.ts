// Edits that do not say what they change, or that only sound as if a thing were to be kept: of several flows none is guessed, and no resource is made.
import { flowOf, row, same } from './edited.ts'
import { type Described, HOUR, total, wait } from './expected.ts'
import { boats, stepsOf } from './moods.ts'

export const UNSAID: Described[] = [
  // What is no thing to be kept, and no value.
  ...[
    'Greet with "Ahoy!".',
    'State: also closed.',
    'State: replace open by free.',
    'Save time with shortcuts.',
    'Keep the customer informed with a message.',
    'Keep trips for two years.',
    'Store the radio key safely.',
    'Orders have a note.',
    'Track the parcel with DHL.',
    'Add a reminder with the day of the trip.',
    'Add colours with a meaning to the states.',
  ].map(text => row(boats, text, same, [text.replace('.', '').slice(0, 5)])),
  // Of several flows none is guessed, and none is made beside one that does the same.
  row(boats, 'The team should only hear about paid orders when they are over 80.', parts =>
    Object.assign(flowOf(parts, 'paid'), { conditions: total('gt', 8_000) }),
  ),
  row(boats, 'Our harbour is now open from 9 to 17.', same, ['open from 9 to 17']),
  row(boats, 'The greeting should be "Ahoy!" from now on.', same),
  row(boats, 'Tag the customer.', same, ['Tag the customer']),
  row(boats, 'Two hours is too long, so wait less.', same, ['wait less']),
  row(boats, 'After a day is soon enough for me.', same, ['After a day is soon enough']),
  row(boats, 'Tag people as guest and wait a day.', same, ['Tag people as guest']),
  row(boats, 'Send the customer a message a day after the order was paid.', same, ['Send the customer a message']),
  row(boats, 'Wait an hour before sending the greeting.', parts => stepsOf(parts, 'hello').unshift(wait(HOUR))),
  row(boats, 'Send the tag a week later.', same, ['a week later']),
]
