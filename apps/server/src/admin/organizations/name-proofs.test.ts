import { expect, test } from 'vitest'
import { openLog } from '../../operations/log.ts'
import { nameProofs } from './name-proofs.ts'

const HOST = 'login.quince.example'
const LOG = openLog('silent')
const RECORD = `_portico-verification.${HOST}`

/** A vault whose current key is the first. */
const vaultWith = (...keys: readonly string[]) => ({
  mac: (purpose: string, text: string) => `${keys[0]} ${purpose} ${text}`,
  macs: (purpose: string, text: string) => keys.map((key) => `${key} ${purpose} ${text}`),
})

function proofs({
  keys = ['new'],
  records = {},
}: {
  keys?: readonly string[]
  records?: Readonly<Record<string, readonly string[]>>
}) {
  const lookups: string[] = []
  return {
    lookups,
    ...nameProofs({
      vault: vaultWith(...keys),
      log: LOG,
      resolveTxt: async (name) => {
        lookups.push(name)
        const found = records[name]
        if (found?.includes('down')) throw new Error('SERVFAIL')
        return found ?? []
      },
    }),
  }
}

const valueBy = (key: string, orgCode = 'QUINCE', name = HOST) =>
  `portico-verification=${key} name proof ${orgCode} ${name}`

test.each([
  ['the record', [valueBy('new')]],
  ['the record among others, with spaces', ['v=spf1 -all', ` ${valueBy('new')} `]],
  ['the record made with a previous key', [valueBy('old')]],
])('15 %s proves a host', async (_, found) => {
  const { errors } = proofs({ keys: ['new', 'old'], records: { [RECORD]: found } })
  expect(await errors('QUINCE', { hosts: [HOST] }, [])).toEqual([])
})

test.each([
  ['no record', []],
  ['the record of another organization', [valueBy('new', 'HARBORLINE')]],
  ['the record of another host', [valueBy('new', 'QUINCE', 'login.harborline.example')]],
  ['the record made with a removed key', [valueBy('removed')]],
])('15 %s proves nothing, and the error names the record', async (_, found) => {
  const { errors } = proofs({ keys: ['new', 'old'], records: { [RECORD]: found } })
  const [error, ...others] = await errors('QUINCE', { hosts: ['other.localhost', HOST] }, [])
  expect(others).toEqual([])
  expect(error?.field).toBe('hosts.1')
  expect(error?.message).toContain(`${RECORD} of type TXT with the value ${valueBy('new')}`)
})

test('15 if name servers do not respond, nothing is proved, and the error says so', async () => {
  const { errors } = proofs({ records: { [RECORD]: ['down'] } })
  expect(await errors('QUINCE', { hosts: [HOST] }, [])).toEqual([
    {
      orgCode: null,
      field: 'hosts.0',
      message: `could not be checked: the DNS record ${RECORD} could not be looked up`,
    },
  ])
})

test('15 only new names are looked up: not those of the file or the published version, nor this machine’s', async () => {
  const file = { hosts: ['a.quince.example'] }
  const published = { hosts: ['B.quince.example'], mailFrom: { address: 'mail@quince.example' } }
  const document = {
    hosts: ['a.quince.example', 'b.quince.example', 'quince.localhost', '127.0.0.1'],
    mailFrom: { name: 'Quince', address: 'hello@Quince.example' },
  }
  const { errors, lookups } = proofs({})
  expect(await errors('QUINCE', document, [file, published])).toEqual([])
  expect(lookups).toEqual([])
  // A host is no mail domain, nor the reverse.
  const swapped = { hosts: ['quince.example'], mailFrom: { address: 'x@a.quince.example' } }
  const found = await errors('QUINCE', swapped, [file, published])
  expect(found.map(({ field }) => field)).toEqual(['hosts.0', 'mailFrom.address'])
})

test.each([
  {},
  { hosts: 'login.quince.example', mailFrom: null },
  { hosts: [7, null], mailFrom: { address: 7 } },
])('15 content of another shape has no names: %j', async (document) => {
  expect(await proofs({}).errors('QUINCE', document, [])).toEqual([])
})
