// Which passwords are taken: long ones of any kind (NIST SP 800-63B-4, for a single factor), but for those that are guessed first.
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../limits/access.ts'

/** What a password must not hold, beside the name of this product. */
export interface About {
  email: string
  name?: string | null
  workspaces: string[]
}

/**
 * What is wrong with a new password, as the end of a sentence that begins with it, such as `must have at least 15 characters`.
 * @returns undefined where nothing is
 */
export function passwordFault(password: string, about: About): string | undefined {
  if (!password.isWellFormed() || password.includes('\0')) return 'holds characters that cannot be typed everywhere; use others'
  const normal = password.normalize('NFKC')
  const length = [...normal].length
  if (length < PASSWORD_CHARS_MIN)
    return `must have at least ${PASSWORD_CHARS_MIN} characters; four or five words that do not belong together are easy to keep in mind`
  if (length > PASSWORD_CHARS_MAX) return `must have at most ${PASSWORD_CHARS_MAX} characters`
  const plain = plainOf(normal)
  if (isRepeated(normal.toLowerCase())) return 'repeats one character or sequence; add something else'
  if (isWalk(plain) || COMMON.has(normal.toLowerCase()) || isLengthened(plain))
    return 'is one of those that are guessed first; take another'
  const held = heldOf(plain, about)
  return held === undefined ? undefined : `holds ${held}, which is guessed first; leave it out`
}

function heldOf(plain: string, { email, name, workspaces }: About): string | undefined {
  const [local = ''] = email.split('@')
  const kinds: [string, string | null | undefined][] = [
    ['the e-mail address', email],
    ['the e-mail address', local],
    ['the name', name],
    ...workspaces.map((workspace): [string, string] => ['the workspace’s name', workspace]),
    ['the name of this product', 'shopdesk'],
  ]
  return kinds.find(([, text]) => isHeld(plain, plainOf(text ?? '')))?.[0]
}

/** Shorter words stand in many others. */
const HELD_CHARS_MIN = 4

const isHeld = (plain: string, word: string): boolean => word.length >= HELD_CHARS_MIN && plain.includes(word)

/** Letters and digits alone, in lower case. */
const plainOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether it is a beginning of itself, again and again. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) if (text.slice(period) === text.slice(0, -period)) return true
  return false
}

const ROWS = [
  '0123456789',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
]
/** Shorter runs stand in many words. */
const RUN_CHARS_MIN = 4

// Runs of a keyboard or of the alphabet, forwards or backwards, and nothing else.
function isWalk(plain: string): boolean {
  let rest = plain
  while (rest.length > 0) {
    const run = longestRun(rest)
    if (run < Math.min(RUN_CHARS_MIN, rest.length)) return false
    rest = rest.slice(run)
  }
  return plain.length > 0
}

// `password1234567890`: as one of the common ones is made, with another run before or behind it.
function isLengthened(plain: string): boolean {
  cores ??= new Set([...COMMON].map(coreOf))
  const core = coreOf(plain)
  return core.length < plain.length && cores.has(core)
}

/** What is left of each common password without runs of the keyboard; worked out for the first password that is judged. */
let cores: Set<string> | undefined

const coreOf = (plain: string): string => backwards(withoutRuns(backwards(withoutRuns(plain))))

const backwards = (text: string): string => [...text].reverse().join('')

function withoutRuns(text: string): string {
  const run = longestRun(text)
  return run < RUN_CHARS_MIN ? text : withoutRuns(text.slice(run))
}

function longestRun(text: string): number {
  let best = 0
  for (const row of ROWS)
    for (const line of [row, [...row].reverse().join('')]) {
      const round = line + line
      let length = best + 1
      while (length <= text.length && round.includes(text.slice(0, length))) length++
      best = Math.max(best, length - 1)
    }
  return best
}

/** The passwords of 15 characters or more that lists of leaked ones begin with. What repeats or walks the keys is refused by rule. */
const COMMON = new Set(
  `passwordpassword password1password password1234567 password12345678 password123456789 password123password mypassword12345 mypassword123456
  thisismypassword thisisapassword thisismypassword1 iloveyouforever iloveyou1234567 iloveyou123456789 iloveyousomuch iloveyousomuch1 iloveyouverymuch
  correcthorsebatterystaple letmeinletmeinplease letmeinplease123 welcome123456789 welcometothejungle administrator administrator1
  administrator123 administrator1234 adminadminadmin1 admin123456789012 adminpassword123 changemechangeme1 changeme123456789 defaultpassword defaultpassword1
  unitedstatesofamerica unitedkingdom123 manchesterunited manchesterunited1 manchestercity123 liverpoolfootballclub realmadrid123456 barcelona123456789
  christopher12345 christianoronaldo cristianoronaldo cristianoronaldo7 jesusismysavior jesuschristislord jesusislord123456 godisgreat123456 inthenameofgod
  superman123456789 batman12345678901 dragonballzdragon dragonball123456 spongebobsquarepants spongebob12345678 harrypotter123456 starwars123456789 pokemon1234567890
  michaeljackson1 michaeljackson123 justinbieber123456 onedirection12345 football123456789 baseball123456789 basketball123456 princess123456789 sunshine123456789
  monkey12345678901 charlie1234567890 computer123456789 internet123456789 whatever123456789 trustno1trustno1 secret12345678901 supersecretpassword topsecretpassword
  myspacepassword1 facebookpassword facebookpassword1 googlepassword123 gmailpassword1234 yahoopassword123 twitterpassword1 instagram12345678 microsoft12345678
  qwertyqwerty123456 qwerty12345678901 qwerty1234567890 qwertyuiop123456 qwertyuiop12345 qwertyuiop1234567890 asdfghjkl123456 asdfghjkl123456789 zxcvbnm123456789
  abc123456789012 abcd1234567890 abcd12345678901 a12345678901234 a1234567890123456 aa1234567890123 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9 q1w2e3r4t5y6u7i8o9p0
  11112222333344445 111122223333444 112233445566778 1122334455667788 112233445566778899 123123456456789789 123456789987654321 12345678987654321 123456789abcdefg
  123456789abcdefghi 147258369147258369 159753159753159 31415926535897932 314159265358979 3141592653589793 246813579246813579 13579246801357924 loveyouforever123
  forgetmenotforgetmenot ihatepasswords123 idontknowmypassword ihavenopassword inevergiveup12345 mynameismypassword nopasswordneeded opensesameopensesame
  pleaseletmeinnow passw0rdpassw0rd p4sswordp4ssword pa55wordpa55word passphrasepassphrase summer20252025 companypassword1 temporarypassword temppassword1234`.split(
    /\s+/,
  ),
)
