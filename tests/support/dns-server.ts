/** A name server on this machine that answers TXT queries over UDP (RFC 1035), for tests. */
import { createSocket } from 'node:dgram'

export interface DnsServer extends AsyncDisposable {
  /** The address for `DNS_SERVERS`. */
  readonly address: string
  /** The TXT records by name. */
  readonly records: Map<string, readonly string[]>
  /** While set, queries get no answer. */
  silent: boolean
}

const TXT = 16
const NAME_MISSING = 3

export async function dnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const records = new Map<string, readonly string[]>()
  socket.on('message', (query, sender) => {
    if (server.silent) return
    const { name, end } = questionOf(query)
    const found = records.get(name)
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    // A response; recursion is desired and available.
    header.writeUInt16BE(0x8180 | (found === undefined ? NAME_MISSING : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(found?.length ?? 0, 6)
    const answers = (found ?? []).map(answerOf)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), sender.port)
  })
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    silent: false,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        socket.close(() => resolve())
      }),
  }
  return server
}

/** The first question's name, and where the question ends. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

/** A TXT record, in strings of at most 255 bytes. */
function answerOf(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? []
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part)])))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0) // The name of the question.
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
