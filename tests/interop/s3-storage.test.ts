/**
 * The bucket storage against a published S3 server, which lists in pages of a thousand. It checks the key and not the
 * signature, which the bucket in `file-storage.test.ts` verifies.
 */
import type { AddressInfo } from 'node:net'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeFile } from '../../apps/server/src/file-storage/file-storage.ts'
import { s3Storage } from '../../apps/server/src/file-storage/s3-storage.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FILES = 1001
const AT_ONCE = 20

const folder = temporaryFolder()
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: folder.path,
  configureBuckets: [{ name: 'evidence', configs: [] }],
})
let address: AddressInfo
beforeAll(async () => {
  address = await server.run()
})
afterAll(async () => {
  await server.close()
  folder[Symbol.dispose]()
})

/** The server accepts only this key. */
const bucket = (keyId = 'S3RVER') =>
  s3Storage({
    url: `http://127.0.0.1:${address.port}/evidence`,
    region: 'us-east-1',
    keyId,
    secret: 'S3RVER',
  })

test('7.6 a published S3 server stores, lists and removes parts, in more than one page', async () => {
  const storage = bucket()
  const ids = Array.from({ length: FILES }, (_, index) => `file-${index}`)
  for (let from = 0; from < FILES; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    await Promise.all(some.map((id) => storage.write(id, 'a', Buffer.from(`part of ${id}`))))
  }
  await storage.write('file-7', 'b', Buffer.alloc(256 * 1024, 7))
  expect(Buffer.from(await storage.read('file-8', 'a')).toString()).toBe('part of file-8')
  expect(await storage.read('file-7', 'b')).toHaveLength(256 * 1024)
  const listed: string[] = []
  for await (const id of storage.listFiles()) listed.push(id)
  expect(listed.toSorted()).toEqual(ids.toSorted())
  const parts = await storage.listParts('file-7')
  expect(parts.map(({ name }) => name)).toEqual(['a', 'b'])
  for (const { modifiedAt } of parts) {
    expect(Math.abs(modifiedAt - Date.now())).toBeLessThan(60_000)
  }
  await removeFile(storage, 'file-7')
  await removeFile(storage, 'file-7')
  expect(await storage.listParts('file-7')).toEqual([])
  await expect(storage.read('file-7', 'a')).rejects.toThrow('404')
})

test('7.6 a published S3 server refuses another key', async () => {
  const storage = bucket('another')
  await expect(storage.write('file', 'a', Buffer.from('content'))).rejects.toThrow('403')
})
