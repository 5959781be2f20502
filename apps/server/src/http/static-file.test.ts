import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/temporary-folder.ts'
import { serveFiles } from './static-file.ts'

test('12 later visitors get a file in a smaller form than the first one, with the same content', async () => {
  using folder = temporaryFolder()
  const words = Array.from({ length: 4000 }, (_, index) => `const part${index} = ${index ** 2}`)
  const content = words.join(';\n')
  writeFileSync(path.join(folder.path, 'main.js'), content)
  await using app = Fastify()
  serveFiles(app, { folder: folder.path, prefix: '/static/' })
  const read = async () => {
    const headers = { 'accept-encoding': 'gzip, deflate, br' }
    const { rawPayload } = await app.inject({ url: '/static/main.js', headers })
    expect(brotliDecompressSync(rawPayload).toString()).toBe(content)
    return rawPayload.length
  }
  const first = await read()
  await vi.waitFor(async () => expect(await read()).toBeLessThan(first * 0.95))
})
