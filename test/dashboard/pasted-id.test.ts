import { expect } from 'chai'
import { countDigits, findId, withoutPunctuation } from '../../dashboard/src/verifications/pasted-id.ts'

const id = '01a218cd-0b3e-7abc-9def-0123456789ab'
const tenant = '01a218cd-006b-73d0-b149-ee150459c9a1'
const link = `https://x.example/dashboard/t/${tenant}/verifications/${id}`
const fullWidth = (text: string) =>
  text.replaceAll(/[!-~]/g, character => String.fromCharCode(character.charCodeAt(0) + 0xfee0))

describe('A pasted text', () => {
  for (const dash of '\u02d7\u1806\u2011\u2013\u2014\u2027\u2043\u207b\u208b\u2212\u2500\u30fc\uff70_ \u00a0') {
    it(`can have U+${dash.charCodeAt(0).toString(16)} for the hyphens of an ID`, () => {
      expect(findId(id.replaceAll('-', dash))).to.equal(id)
    })
  }

  for (const text of [
    `tenant=${tenant} verification=${id}`,
    `{"tenant_id":"${tenant}","verification_id":"${id}"}`,
    `x-tenant-id: ${tenant}\nverification: ${id}`,
    `tenant ${tenant}, then ${id}`,
    link,
    link.toUpperCase(),
    `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(link)}&data=05`,
    `https://x.example/?to=${encodeURIComponent(encodeURIComponent(link))}`,
    `https://urldefense.com/v3/__${link}__;!!a$`,
    `https://urldefense.proofpoint.com/v2/url?u=${link.replaceAll('-', '-2D').replaceAll('/', '_')}&d=Dw`,
    id.replaceAll('-', '%2D'),
    id.replaceAll('-', '%E2%80%91'),
    id.replaceAll('-', '&#45;'),
    id.replaceAll('-', '--'),
    id.replaceAll('-', '-\u034f\u180e'),
    id.replace('-7', '-\u00857'),
    fullWidth(id),
    id.replaceAll('-', '').replaceAll(/.{4}/g, '$& '),
    `ID-${id}`,
    `—${id}—`,
    `verification-${id}.pdf`,
  ]) {
    it(`has the verification's ID: ${text}`, () => expect(findId(text)).to.equal(id))
  }

  for (const text of [
    link.replace(id, 'abc'),
    `tenant_id: ${tenant}`,
    `00-${id.replaceAll('-', '')}-00f067aa0ba902b7-01`,
    '100% %E0%A4%A',
  ]) {
    it(`has no verification's ID: ${text}`, () => expect(findId(text)).to.equal(undefined))
  }

  for (const text of [
    '…cb421b99',
    'cb421b99!',
    '_cb421b99_',
    '#cb421b99/?',
    '01a218cd…cb421b99',
    fullWidth('cb421b99'),
  ]) {
    it(`has a part of an ID: ${text}`, () => {
      expect(withoutPunctuation(text)).to.equal('cb421b99')
      expect(countDigits(text)).to.equal(8)
    })
  }

  it('can be long: looking for an ID in it takes no seconds', () => {
    for (const part of ['a1', '0 ', ' ', 'tenant ', 'abcdabcd ', '> ', '%41', 'a-']) {
      expect(findId(part.repeat(30_000)), part).to.equal(undefined)
    }
  })
})
