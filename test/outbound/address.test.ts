// Which addresses and URLs may be called: the edges of every range, and every spelling that has fooled a parser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error undici types its public parts alone; this is its own copy of the standard's list
import constants from 'undici/lib/web/fetch/constants.js'
import { type AddressKind, checkAddress, checkUrl, refusedAddress } from '../../src/outbound/address.ts'

const addresses: Record<AddressKind, string[]> = {
  public: [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '203.0.114.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '3fff:1000::1',
    // The IPv4 address inside is public.
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ],
  loopback: [
    '127.0.0.1',
    '127.0.0.0',
    '127.1.2.3',
    '127.255.255.255',
    '::1',
    '0:0:0:0:0:0:0:1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:127.0.0.1',
    '0:0:0:0:0:ffff:7f00:0001',
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
  ],
  private: [
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::192.168.1.1',
    'fc00::',
    'fc00::1',
    'fd12:3456:789a::1',
    'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    'fec0::1',
    'feff::1',
  ],
  shared: ['100.64.0.0', '100.64.0.1', '100.127.255.255', '::ffff:100.64.0.1'],
  'link-local': ['169.254.0.1', '169.254.255.255', '169.254.170.2', '::ffff:169.254.1.1', 'fe80::', 'fe80::1', 'febf:ffff::1'],
  metadata: [
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '::ffff:168.63.129.16',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
  ],
  unspecified: ['0.0.0.0', '0.0.0.1', '0.255.255.255', '::', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0'],
  multicast: ['224.0.0.1', '239.255.255.255', '232.1.1.1', 'ff00::', 'ff02::1', 'ff0e::1', '::ffff:224.0.0.1'],
  documentation: [
    '192.0.2.0',
    '192.0.2.255',
    '198.51.100.1',
    '203.0.113.1',
    '2001:db8::',
    '2001:db8:ffff:ffff::1',
    '3fff::1',
    '3fff:fff:ffff::1',
  ],
  benchmarking: ['198.18.0.0', '198.19.255.255', '::ffff:198.18.0.1'],
  translation: [
    '192.88.99.1',
    '::2',
    '::127.0.0.1',
    '::8.8.8.8',
    '::7f00:1',
    '64:ff9b:1::1',
    '64:ff9b:1:ffff::8.8.8.8',
    '2002::1',
    '2002:7f00:1::1',
    '2002:a9fe:a9fe::1',
    '2002:808:808::1',
  ],
  reserved: [
    '192.0.0.1',
    '192.0.0.192',
    '240.0.0.1',
    '250.1.2.3',
    '255.255.255.255',
    '::ffff:255.255.255.255',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:7f00:1::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1ff:ffff::1',
    '5f00::1',
    '1::1',
    '400::1',
    '4000::1',
    '8000::1',
    'e000::1',
    'fe00::1',
    // The prefix of RFC 2765, and one bit beside the embedded prefixes.
    '::ffff:0:127.0.0.1',
    '::fffe:127.0.0.1',
    '64:ff9b:0:0:0:1::1',
    '64:ff9a::8.8.8.8',
  ],
  malformed: [
    '',
    'localhost',
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.0.0.01',
    '127.0.0.1.',
    ' 127.0.0.1',
    '256.1.1.1',
    '1.2.3.4.5',
    '[::1]',
    '::1%lo',
    'fe80::1%eth0',
    'fe80::1%25eth0',
    '2606:4700::1%1',
    ':::1',
    '1::2::3',
    '::ffff:127.0.0.01',
    '12345::1',
    '１27.0.0.1',
  ],
}

for (const [kind, list] of Object.entries(addresses))
  test(`${list.length} addresses are ${kind}`, () => {
    for (const address of list) assert.equal(checkAddress(address), kind, address)
  })

test('allowPrivate opens loopback, private and shared addresses, and nothing else', () => {
  const policy = { allowPrivate: true, allowOrigins: [] }
  const open = Object.keys(addresses).filter(kind => addresses[kind as AddressKind].every(ip => !refusedAddress(ip, policy)))
  assert.deepEqual(open, ['public', 'loopback', 'private', 'shared'])
})

const strict = { allowPrivate: false, allowOrigins: [] }
const lenient = { allowPrivate: true, allowOrigins: [] }
const demo = { allowPrivate: false, allowOrigins: ['http://127.0.0.1:4000', 'https://intern.corp:8443/', 'http://10.0.0.9'] }

test('a webhook may have any https URL with a public name or address', () => {
  const urls = [
    'https://shop.example/webhooks',
    'https://shop.example',
    'HTTPS://Shop.Example/Webhooks?tenant=1&x=%20',
    'https://shop.example:2/',
    'https://shop.example:443/',
    'https://shop.example:8443/',
    'https://lan.example/',
    'https://shop.home.example/',
    'https://svc.example/',
    'https://shop-corp.example/',
    'https://shop.example:65535/',
    'https://shop.example./',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:8443/',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    `https://shop.example/${'a'.repeat(2048 - 21)}`,
  ]
  for (const url of urls) assert.equal(checkUrl(url, strict), undefined, url)
})

const refused: [code: string, url: string][] = [
  ['malformed', ''],
  ['malformed', 'shop.example/webhooks'],
  ['malformed', '//shop.example'],
  ['malformed', 'https://'],
  ['malformed', 'https:shop.example'],
  ['malformed', 'https:/shop.example'],
  ['malformed', 'https:///shop.example'],
  ['malformed', 'https://shop.example:0/'],
  ['malformed', 'https://shop.example:65536/'],
  ['malformed', 'https://shop.example:a/'],
  ['malformed', 'https://shop..example/'],
  ['malformed', 'https://.example/'],
  ['malformed', 'https://shop.example../'],
  ['malformed', `https://${'a.'.repeat(130)}example/`],
  ['malformed', 'https://shop example/'],
  ['malformed', ' https://shop.example/'],
  ['malformed', 'https://shop.example/\n'],
  ['malformed', 'https://ex\tample.com/'],
  ['malformed', 'https://shop.example\\@169.254.169.254/'],
  ['malformed', 'https://256.1.1.1/'],
  ['malformed', 'https://1.2.3.4.5/'],
  ['malformed', 'https://[::1/'],
  ['malformed', 'https://[fe80::1%25eth0]/'],
  ['malformed', 'https://exa%00mple.com/'],
  ['too_long', `https://shop.example/${'a'.repeat(2048 - 20)}`],
  ['https_required', 'http://shop.example/'],
  ['https_required', 'http://127.0.0.1/'],
  ['https_required', 'http://localhost/'],
  ['https_required', 'ftp://shop.example/'],
  ['https_required', 'file:///etc/passwd'],
  ['https_required', 'javascript:alert(1)'],
  ['https_required', 'gopher://127.0.0.1:6379/_x'],
  ['userinfo', 'https://user@shop.example/'],
  ['userinfo', 'https://user:password@shop.example/'],
  ['userinfo', 'https://:password@shop.example/'],
  ['userinfo', 'https://shop.example@127.0.0.1/'],
  ['fragment', 'https://shop.example/#'],
  ['fragment', 'https://shop.example/a#b'],
  ['private_host', 'https://localhost/'],
  ['private_host', 'https://LOCALHOST:8443/'],
  ['private_host', 'https://localhost./'],
  ['private_host', 'https://ⅼocalhost/'],
  ['private_host', 'https://a.localhost/'],
  ['private_host', 'https://printer.local/'],
  ['private_host', 'https://metadata.google.internal/'],
  ['private_host', 'https://nas.home.arpa/'],
  ['private_host', 'https://router.lan/'],
  ['private_host', 'https://erp.corp/'],
  ['private_host', 'https://ERP.Corp./'],
  ['private_host', 'https://nas.home/'],
  ['private_host', 'https://wiki.intranet/'],
  ['private_host', 'https://db.private/'],
  ['private_host', 'https://vm.localdomain/'],
  ['private_host', 'https://api.default.svc/'],
  ['private_host', 'https://api.default.svc.cluster.local/'],
  ['private_host', 'https://intranet/'],
  ['private_host', 'https://intranet./'],
  ['private_host', 'https://127.0.0.1/'],
  ['private_host', 'https://127.0.0.1./'],
  ['private_host', 'https://127.1/'],
  ['private_host', 'https://0/'],
  ['private_host', 'https://2130706433/'],
  ['private_host', 'https://017700000001/'],
  ['private_host', 'https://0x7f.1/'],
  ['private_host', 'https://0x7F000001/'],
  ['private_host', 'https://0177.0.0.0x1/'],
  ['private_host', 'https://%31%32%37.0.0.1/'],
  ['private_host', 'https://１２７.０.０.１/'],
  ['private_host', 'https://127。0。0。1/'],
  ['private_host', 'https://10.0.0.1/'],
  ['private_host', 'https://0xa9fea9fe/latest/meta-data/'],
  ['private_host', 'https://168.63.129.16/'],
  ['private_host', 'https://255.255.255.255/'],
  ['private_host', 'https://[::]/'],
  ['private_host', 'https://[::1]/'],
  ['private_host', 'https://[::ffff:127.0.0.1]/'],
  ['private_host', 'https://[0:0:0:0:0:ffff:7f00:1]/'],
  ['private_host', 'https://[64:ff9b::10.0.0.1]/'],
  ['private_host', 'https://[2002:7f00:1::]/'],
  ['private_host', 'https://[fd00:ec2::254]/'],
]

test('a port that browsers block is refused, and no other', () => {
  const ports = Array.from({ length: 65_535 }, (_, n) => n + 1)
  const refusedPorts = ports.filter(port => checkUrl(`https://shop.example:${port}/`, strict)?.code === 'refused_port')
  assert.deepEqual(refusedPorts, constants.badPorts.map(Number))
  for (const port of refusedPorts) {
    assert.equal(checkUrl(`https://[2606:4700::1]:${port}/`, strict)?.code, 'refused_port')
    assert.equal(checkUrl(`https://127.0.0.1:${port}/`, lenient), undefined, 'in development any port will do')
  }
})

test('every other URL is refused for a reason that has a name and a way out', () => {
  for (const [code, url] of refused) {
    const problem = checkUrl(url, strict)
    assert.equal(problem?.code, code, url)
    assert.match(problem?.message ?? '', /; |use /, url)
  }
})

test('allowPrivate lets in private names and addresses over https, and http to loopback only', () => {
  for (const url of ['http://127.0.0.1:4000/', 'http://localhost/', 'http://[::1]:3000/', 'https://intranet/', 'https://10.0.0.1/'])
    assert.equal(checkUrl(url, lenient), undefined, url)
  for (const url of ['http://10.0.0.1/', 'http://intranet/', 'http://shop.example/', 'http://0.0.0.0/'])
    assert.equal(checkUrl(url, lenient)?.code, 'https_required', url)
  for (const url of ['https://169.254.169.254/', 'https://[fe80::1]/', 'https://224.0.0.1/'])
    assert.equal(checkUrl(url, lenient)?.code, 'private_host', url)
})

test('OUTBOUND_ALLOW_PRIVATE is advised only where it would help', () => {
  const url = 'https://169.254.169.254/'
  assert.match(checkUrl(url, strict)?.message ?? '', /can reach \(in development .*OUTBOUND_ALLOW_PRIVATE=true\)\.$/)
  assert.match(checkUrl(url, lenient)?.message ?? '', /can reach\.$/)
})

test('an allowed origin is exempt from the private-address ban, to the port, and from https only where it is loopback', () => {
  for (const url of ['http://127.0.0.1:4000/hook', 'https://intern.corp:8443/a']) assert.equal(checkUrl(url, demo), undefined, url)
  const refused = checkUrl('http://127.0.0.1:4001/skill', demo)
  assert.equal(refused?.code, 'https_required')
  assert.match(refused?.message ?? '', /OUTBOUND_ALLOW_ORIGINS=http:\/\/127\.0\.0\.1:4001\.$/, 'names the setting that allows it')
  assert.doesNotMatch(checkUrl('http://shop.example/', demo)?.message ?? '', /OUTBOUND/, 'which allows no other host http')
  assert.equal(checkUrl('https://127.0.0.1:4000/', demo)?.code, 'private_host')
  assert.equal(checkUrl('http://10.0.0.9/', demo)?.code, 'https_required')
})

test('the setting that allows an address of this machine is told with its refusal, and with no other', () => {
  for (const origin of ['http://127.0.0.1:4001', 'https://127.0.0.1:4001', 'https://localhost', 'http://[::1]:3000'])
    assert.equal(checkUrl(`${origin}/skill`, strict)?.allowedBy, `OUTBOUND_ALLOW_ORIGINS=${origin}`)
  for (const url of ['https://10.0.0.1/', 'https://intranet/', 'http://shop.example/', 'https://169.254.169.254/', 'https://a@localhost/'])
    assert.equal(checkUrl(url, strict)?.allowedBy, undefined, url)
})
