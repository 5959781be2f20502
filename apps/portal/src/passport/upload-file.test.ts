import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import { refusal } from '@portico/client/testing'
import { PASSPORT_FILE_PART_BYTES } from '@portico/contracts/limits'
import { after, walk } from '@portico/flow/testing'
import { UNEXPECTED } from '@portico/shell/failure'
import { expect, test } from 'vitest'
import { fileError, sanitizeFileName } from '../file-names.ts'
import { section } from './fill-in.samples.ts'
import { type Event, uploadFile } from './upload-file.flow.ts'
import { events, file, inputs } from './upload-file.samples.ts'
import { uploadFileServices } from './upload-file.services.ts'

const BYTES = PASSPORT_FILE_PART_BYTES + 100
const begun = { fileUuid: undefined, receivedBytes: 0 }
const progressed: Event = { type: 'progressed', fileUuid: file.fileUuid, receivedBytes: 100 }
const interrupted: Event = { type: 'interrupted', failure: UNEXPECTED }

/** A server that has part of a file and fails the given number of times. */
function aServer({ receivedBytes = 0, failures = [] as readonly Error[], isKnown = true } = {}) {
  const calls: string[] = []
  const waiting = [...failures]
  let received = receivedBytes
  const client = (async (call, { body, query }) => {
    const { offset = '' } = (query ?? {}) as { offset?: string }
    calls.push(`${call.name}${offset === '' ? '' : ` ${offset}`}`)
    if (call.name === 'readPassportFile' && !isKnown) throw refusal('not-found')
    if (call.name === 'sendPassportFilePart') {
      const failure = waiting.shift()
      if (failure !== undefined) throw failure
      received += (body as unknown as Uint8Array).length
    }
    const current = { ...file, bytes: BYTES, receivedBytes: received }
    const isComplete = call.name === 'completePassportFile'
    return isComplete ? { file: current, section: section(2, '') } : current
  }) as Client
  return { client, calls }
}

async function sent(client: Client, fileUuid?: string): Promise<Event[]> {
  const chosen = new File([new Uint8Array(BYTES)], 'Bank statement.pdf')
  const services = uploadFileServices({ client, passportUuid: 'passport', file: chosen })
  const answer = await services.send({ type: 'send', fileUuid }, new AbortController().signal)
  const found: Event[] = []
  for await (const event of answer as AsyncIterable<Event>) found.push(event)
  return found
}

test('a file is created, sent in parts and completed', async () => {
  const { client, calls } = aServer()
  expect((await sent(client)).map(({ type }) => type)).toEqual([
    'progressed',
    'progressed',
    'progressed',
    'completed',
  ])
  expect(calls).toEqual([
    'createPassportFile',
    'sendPassportFilePart 0',
    `sendPassportFilePart ${PASSPORT_FILE_PART_BYTES}`,
    'completePassportFile',
  ])
})

test('an upload resumes where it was interrupted', async () => {
  const { client, calls } = aServer({ receivedBytes: PASSPORT_FILE_PART_BYTES })
  await sent(client, file.fileUuid)
  expect(calls).toEqual([
    'readPassportFile',
    `sendPassportFilePart ${PASSPORT_FILE_PART_BYTES}`,
    'completePassportFile',
  ])
})

test('an upload that the server no longer has is sent again, and then refused or complete', async () => {
  const { client, calls } = aServer({ isKnown: false })
  expect((await sent(client, file.fileUuid)).at(-1)).toMatchObject({ type: 'completed' })
  expect(calls.slice(0, 3)).toEqual([
    'readPassportFile',
    'createPassportFile',
    'sendPassportFilePart 0',
  ])
})

test('a part that arrived damaged is resent', async () => {
  const { client, calls } = aServer({ failures: [refusal('file-part-damaged')] })
  expect((await sent(client)).at(-1)).toMatchObject({ type: 'completed' })
  expect(calls.filter((call) => call === 'sendPassportFilePart 0')).toHaveLength(2)
})

test('a lost connection interrupts the upload; a rejected file ends it', async () => {
  const cut = new ApiError('unreachable', 'Error fetching')
  expect((await sent(aServer({ failures: [cut] }).client)).at(-1)).toMatchObject({
    type: 'interrupted',
    failure: { reason: 'unreachable' },
  })
  const refused = aServer({ failures: [refusal('file-type-refused')] })
  expect((await sent(refused.client)).at(-1)).toMatchObject({
    type: 'refused',
    failure: { reason: 'file-type-refused' },
  })
})

test('canceling deletes the uploaded parts', () => {
  expect(after(uploadFile, begun, [{ type: 'canceled' }])).toEqual([{ step: 'canceled' }])
  const discarded = [{ step: 'canceled' }, { type: 'discard', fileUuid: file.fileUuid }]
  expect(after(uploadFile, begun, [progressed, { type: 'canceled' }])).toEqual(discarded)
  expect(after(uploadFile, begun, [progressed, interrupted, { type: 'canceled' }])).toEqual(
    discarded,
  )
})

test('random walk: a file is sent exactly while the step is sending', () => {
  walk(
    uploadFile,
    { inputs, events },
    {
      steps: 2000,
      invariant(state, commands) {
        if (commands.some(({ type }) => type === 'send')) expect(state.step).toBe('sending')
        if (commands.some(({ type }) => type === 'discard')) expect(state.step).toBe('canceled')
      },
    },
  )
})

test('files that the server would reject are not sent, and names are sanitized', () => {
  expect(fileError({ name: 'photo.JPG', size: 1000 })).toBeUndefined()
  expect(fileError({ name: 'page.svg', size: 1000 })).toMatch(/PDF, JPEG or PNG/)
  expect(fileError({ name: 'a.pdf', size: 21 * 1024 * 1024 })).toMatch(/at most 20 MB/)
  expect(fileError({ name: 'a.pdf', size: 0 })).toMatch(/empty/)
  expect(sanitizeFileName('tax\u202Efdp.exe')).toBe('taxfdp.exe')
  expect(sanitizeFileName('\u200B')).toBe('File')
  expect(sanitizeFileName(`${'a'.repeat(300)}.pdf`)).toHaveLength(255)
})
