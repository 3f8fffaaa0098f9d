import { expect } from 'chai'
import fc from 'fast-check'
import { createAddressPolicy } from '#domain/network/public-address.policy.ts'
import { webhookUrlViolation } from '#domain/network/webhook-url.policy.ts'
import { anyCharacter } from '../../harness/any-character.ts'

const policy = createAddressPolicy()
const violationOf = (url: string) => webhookUrlViolation(url, policy)

const urlCharacter = fc.oneof(anyCharacter.map(encodeURIComponent), fc.constantFrom(...'$&+,;=:@'))
const segment = fc.array(urlCharacter).map(characters => characters.join(''))
/** What `fc.webUrl` generates, without its table of all characters. */
const anyUrl = fc
  .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), fc.array(segment))
  .map(([scheme, authority, path]) => [`${scheme}://${authority}`, ...path].join('/'))

describe('Webhook URLs', () => {
  const accepted = [
    'https://example.com',
    'https://example.com/hooks/age?source=av&x=%20',
    'https://hooks.example.com:8443/',
    'https://example.com./',
    'https://bücher.example/hook',
    'https://under_score.example.com/',
    'HTTPS://EXAMPLE.COM/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700:4700::1111]:444/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://[0064:FF9B:0:0:0:0:808:808]:8443/',
    'https://example.com/path@with:signs',
    'https://127.0.0.1.example.com/',
    'https://localhost.example.com/',
    'https://test.example.com/',
    'https://svc.lan.example.com/',
    'https://internal.dev/',
    `https://example.com/${'a'.repeat(2_028)}`,
  ]
  for (const url of accepted) {
    it(`can be ${url.slice(0, 60)}`, () => expect(violationOf(url)).to.equal(undefined))
  }

  const rejectedCases: [kind: string, sentence: string, urls: string[]][] = [
    [
      'without https',
      'must start with https://',
      `example.com http://example.com ftp://example.com https:example.com https:/example.com https:// //example.com
       https:///example.com javascript:alert(1) file:///etc/passwd`.split(/\s+/),
    ],
    ['that are empty', 'must start with https://', ['']],
    [
      'with credentials',
      'user name or password',
      `https://user@example.com https://user:secret@example.com https://:secret@example.com https://@example.com
       https://:@example.com https://example.com@8.8.8.8/`.split(/\s+/),
    ],
    ['with a fragment', 'fragment', ['https://example.com/#part', 'https://example.com/#']],
    [
      'with characters that would be changed silently',
      'white space, control characters or backslashes',
      [
        ' https://example.com',
        'https://example.com ',
        'https://exam\nple.com',
        'https://example.com\\@8.8.8.8/',
        'https://example.com/\t\u0000\u007f',
      ],
    ],
    ['over 2,048 characters', '2,048 characters', [`https://example.com/${'a'.repeat(2_029)}`]],
    ['on port 0', 'port 0', ['https://example.com:0/']],
    [
      'that are not valid',
      'not valid',
      `https://example.com:99999/ https://exa[mple.com/ https://1.2.3.4.5/ https://256.1.1.1/ https://[fe80::1%25eth0]/
       https://[fe80::1%eth0]/ https://[::1/ https://%zz/`.split(/\s+/),
    ],
    [
      'whose host is no host name',
      'valid host name',
      `https://a..example.com/ https://.example.com/ https://example.com../ https://*.example.com/ https://./
       https://${'a'.repeat(64)}.example.com/ https://${'a.'.repeat(126)}example/`.split(/\s+/),
    ],
    [
      'to this machine by name',
      'this machine',
      `https://localhost/ https://localhost./ https://LOCALHOST:8443/ https://a.localhost/ https://a.b.localhost./
       https://loc%61lhost/ https://ｌocalhost/`.split(/\s+/),
    ],
    [
      'with names that are not public',
      'public host name',
      `https://redis/ https://redis./ https://printer.local/ https://db.internal/ https://local/ https://Db.INTERNAL./
       https://metadata.google.internal/ https://router.home.arpa/ https://receiver.test/ https://Receiver.TEST./
       https://x.invalid/ https://x.onion/ https://x.alt/ https://corp.lan/ https://x.home/ https://x.corp/
       https://x.private/ https://x.intranet/ https://localhost.localdomain/ https://localhost6.localdomain6/
       https://receiver.payments.svc/ https://receiver.payments.svc.cluster.local/ https://kubernetes.default.svc./
       https://host.docker.internal/ https://1.0.0.10.in-addr.arpa/ https://service.arpa/ https://x。lan/`.split(
        /\s+/,
      ),
    ],
    [
      'to private addresses',
      'private or reserved address',
      `https://127.0.0.1/ https://127.1/ https://127.0.0.1./ https://2130706433/ https://017700000001/ https://0x7f.1/
       https://0x7f000001/ https://0177.0.0.1/ https://127.0.0.1:8443/ https://0/ https://１２７.０.０.１/ https://127。0。0。1/
       https://%31%32%37.0.0.1/ https://10.0.0.1/ https://169.254.169.254/latest/meta-data/ https://168.63.129.16/
       https://[::1]/ https://[::]/ https://[::ffff:127.0.0.1]/ https://[::ffff:a9fe:a9fe]/ https://[::127.0.0.1]/
       https://[fe80::1]/ https://[64:ff9b::7f00:1]/ https://[2002:7f00:1::]/ https://[fd00:ec2::254]/
       https://[ff02::1]/`.split(/\s+/),
    ],
  ]
  for (const [kind, sentence, urls] of rejectedCases) {
    for (const url of urls) {
      it(`${kind} are rejected with a clear message: ${JSON.stringify(url.slice(0, 60))}`, () => {
        expect(violationOf(url))
          .to.contain(sentence)
          .and.match(/^The URL must .*\.$|^The URL is not valid\.$/)
      })
    }
  }

  it('to a private IPv4 address are rejected in every notation', () => {
    const privateAddress = fc
      .tuple(fc.constantFrom([10], [127], [169, 254], [192, 168], [172, 16], [100, 64], [0]), fc.ipV4())
      .map(([start, ip]) => [...start, ...ip.split('.').map(Number).slice(start.length)])
    const spellingOf = [
      (octets: number[]) => octets.join('.'),
      (octets: number[]) => `${octets.join('.')}.`,
      (octets: number[]) => String(numberOf(octets)),
      (octets: number[]) => `0x${numberOf(octets).toString(16)}`,
      (octets: number[]) => `0X${numberOf(octets).toString(16).toUpperCase()}`,
      (octets: number[]) => `0${numberOf(octets).toString(8)}`,
      (octets: number[]) => octets.map(octet => `0${octet.toString(8)}`).join('.'),
      (octets: number[]) => octets.map(octet => `0x${octet.toString(16)}`).join('.'),
      ([a, b, c, d]: number[]) => `${a}.${b}.${c! * 256 + d!}`,
      ([a, b, c, d]: number[]) => `${a}.0x${(b! * 65_536 + c! * 256 + d!).toString(16)}`,
      (octets: number[]) => octets.join('。'),
      (octets: number[]) =>
        octets.join('.').replace(/\d/g, digit => String.fromCharCode(0xff10 + Number(digit))),
      (octets: number[]) => octets.join('.').replace(/\d/g, digit => `%3${digit}`),
      (octets: number[]) => `[::ffff:${octets.join('.')}]`,
      (octets: number[]) => `[0:0:0:0:0:FFFF:${octets.join('.')}]`,
      (octets: number[]) => `[::${octets.join('.')}]`,
      (octets: number[]) => `[64:ff9b::${octets.join('.')}]`,
      (octets: number[]) => `[64:ff9b:1::${octets.join('.')}]`,
      ([a, b, c, d]: number[]) => `[2002:${(a! * 256 + b!).toString(16)}:${(c! * 256 + d!).toString(16)}::1]`,
    ]
    fc.assert(
      fc.property(privateAddress, fc.constantFrom(...spellingOf), (octets, spell) => {
        const url = `https://${spell(octets)}/hook`
        expect(violationOf(url), url).to.be.a('string')
      }),
      { numRuns: 500 },
    )
  })

  it('never make the check throw', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), anyUrl), url => void violationOf(`https://${url}`)))
  })

  it('can point to loopback if the operator allows it', () => {
    const local = createAddressPolicy(['127.0.0.0/8'])
    for (const host of [
      '127.0.0.1:8443',
      'localhost:8443',
      'a.localhost',
      '2130706433',
      '[::ffff:127.0.0.1]',
    ]) {
      expect(webhookUrlViolation(`https://${host}/`, local), host).to.equal(undefined)
    }
    for (const host of ['10.0.0.1', '[::1]', '0.0.0.0']) {
      expect(webhookUrlViolation(`https://${host}/`, local), host).to.contain('private or reserved')
    }
    expect(webhookUrlViolation('http://127.0.0.1/', local)).to.contain('https://')
  })

  it('can have private names if private networks are allowed, but localhost only if loopback is', () => {
    const office = createAddressPolicy(['10.0.0.0/8'])
    for (const host of ['receiver', 'receiver.internal', 'receiver.local']) {
      expect(webhookUrlViolation(`https://${host}/`, office), host).to.equal(undefined)
    }
    expect(webhookUrlViolation('https://localhost/', office)).to.contain('this machine')
  })
})

function numberOf(octets: number[]): number {
  return octets.reduce((sum, octet) => sum * 256 + octet, 0)
}
