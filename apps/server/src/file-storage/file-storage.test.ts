/**
 * Both implementations behave the same. The bucket is a server with its own verification of signatures (AWS Signature
 * Version 4).
 */
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskStorage } from './disk-storage.ts'
import { type FileStorage, removeFile } from './file-storage.ts'
import { s3Storage } from './s3-storage.ts'

const SECRET = 'a secret of the bucket'
const REGION = 'eu-test-1'
const PAGE_SIZE = 2

const objects = new Map<string, { readonly body: Buffer; readonly at: Date }>()
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Recomputes a request's signature. */
function expectedSignature(
  method: string,
  url: URL,
  headers: NodeJS.Dict<string | string[]>,
): string {
  const [, scope = '', signed = ''] =
    /Credential=[^/]+\/(\S+), SignedHeaders=([^,]+)/.exec(String(headers['authorization'])) ?? []
  const [date = ''] = scope.split('/')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const payload = String(headers['x-amz-content-sha256'])
  const parts = [method, url.pathname, query, lines.join(''), signed, payload]
  const canonical = parts.join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, digest].join('\n')
  const key = ['s3', 'aws4_request'].reduce<Buffer>(hmac, hmac(hmac(`AWS4${SECRET}`, date), REGION))
  return hmac(key, text).toString('hex')
}

const bucket = createServer((request, response) => void respond(request, response))

async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const { method = '' } = request
  const [, signature] = /Signature=(\w+)/.exec(request.headers.authorization ?? '') ?? []
  const digest = request.headers['x-amz-content-sha256']
  const isAuthentic =
    signature === expectedSignature(method, url, request.headers) &&
    (digest === 'UNSIGNED-PAYLOAD' || digest === createHash('sha256').update(body).digest('hex'))
  if (!isAuthentic) return response.writeHead(403).end()
  const key = url.pathname.replace(/^\/bucket\//, '')
  if (method === 'PUT') objects.set(key, { body, at: new Date() })
  if (method === 'DELETE') objects.delete(key)
  if (method !== 'GET') return response.writeHead(method === 'PUT' ? 200 : 204).end()
  if (key === '') return response.end(listed(url.searchParams))
  const found = objects.get(key)
  return found === undefined ? response.writeHead(404).end() : response.end(found.body)
}

/** A page of the listing, with few entries. */
function listed(query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const hasFolders = query.has('delimiter')
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
  const entries = hasFolders
    ? [...new Set(keys.map((key) => `${prefix}${key.slice(prefix.length).split('/')[0]}/`))]
    : keys
  const from = Number(query.get('continuation-token')?.split('&')[1] ?? 0)
  const page = entries
    .slice(from, from + PAGE_SIZE)
    .map((entry) =>
      hasFolders
        ? `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${entry}</Key><LastModified>${objects.get(entry)?.at.toISOString()}</LastModified></Contents>`,
    )
  const next = from + PAGE_SIZE
  const token = `<NextContinuationToken>at&amp;${next}</NextContinuationToken>`
  return `<ListBucketResult>${page.join('')}${next < entries.length ? token : ''}</ListBucketResult>`
}

const folder = mkdtempSync(join(tmpdir(), 'portico-'))
const storages: Record<string, () => FileStorage> = {
  'the data folder': () => diskStorage(join(folder, 'uploads')),
  'an S3-compatible bucket': () => s3Storage(account(SECRET)),
}
const account = (secret: string) => ({
  url: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/bucket`, // It listens on TCP.
  region: REGION,
  keyId: 'key',
  secret,
})

beforeAll(() => new Promise<void>((resolve) => void bucket.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  bucket.close()
  rmSync(folder, { recursive: true })
})

async function filesOf(storage: FileStorage): Promise<string[]> {
  const files: string[] = []
  for await (const file of storage.listFiles()) files.push(file)
  return files.sort()
}

test.each(Object.entries(storages))('7.6 %s stores, lists and removes parts', async (_, open) => {
  const storage = open()
  expect(await filesOf(storage)).toEqual([])
  expect(await storage.listParts('one')).toEqual([])
  const parts = ['a', 'b', 'c', 'd', 'e']
  for (const part of parts) await storage.write('one', part, Buffer.from(`part ${part}`))
  for (const file of ['three', 'two']) await storage.write(file, 'a', Buffer.from(file))
  expect(Buffer.from(await storage.read('one', 'b')).toString()).toBe('part b')
  expect(await filesOf(storage)).toEqual(['one', 'three', 'two'])
  const stored = await storage.listParts('one')
  expect(stored.map(({ name }) => name).sort()).toEqual(parts)
  for (const { modifiedAt } of stored)
    expect(Math.abs(modifiedAt - Date.now())).toBeLessThan(60_000)
  await storage.removeParts('one', ['a', 'unknown'])
  await expect(storage.read('one', 'a')).rejects.toThrow(/ENOENT|404/)
  await removeFile(storage, 'one')
  await removeFile(storage, 'one')
  expect(await filesOf(storage)).toEqual(['three', 'two'])
})

test('7.6 only the user of the server can read the folder', async () => {
  const storage = diskStorage(join(folder, 'private'))
  await storage.write('file', 'part', Buffer.from('content'))
  const modeOf = (...path: string[]) => statSync(join(folder, 'private', ...path)).mode & 0o777
  expect([modeOf(), modeOf('file'), modeOf('file', 'part')]).toEqual([0o700, 0o700, 0o600])
})

test('7.6 a bucket that refuses the credentials is an error', async () => {
  const storage = s3Storage(account('another secret'))
  await expect(storage.write('file', 'part', Buffer.from('content'))).rejects.toThrow(/403/)
  await expect(filesOf(storage)).rejects.toThrow(/403/)
})
