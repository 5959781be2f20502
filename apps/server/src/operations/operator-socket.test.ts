import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'
import { requestFromServer, serveCommand } from './operator-socket.ts'

test('9 a command reaches the running server, and its log contains no address', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'portico-'))
  const received: string[] = []
  const logged: string[] = []
  const server = serveCommand({
    dataDir,
    command: 'sso-link',
    handle: async (text) => {
      received.push(text)
      return 'The link is sent.'
    },
    log: openLog('info', (line) => logged.push(line)),
  })
  try {
    await once(server, 'listening')
    const request = 'NORTHGALE customer ada@lender.example'
    expect(await requestFromServer(dataDir, 'sso-link', request)).toBe('The link is sent.')
    expect(received).toEqual([request])
    expect(logged.join()).toContain('NORTHGALE customer [email]')
  } finally {
    server.close()
    rmSync(dataDir, { recursive: true })
  }
})
