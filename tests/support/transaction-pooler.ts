/**
 * A pooler in transaction mode before PostgreSQL: each client's transactions alternate between two connections to the server,
 * so what one leaves in its session is gone for the next. For servers that trust their clients.
 */
import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

const READY = 'Z'.charCodeAt(0)
const BACKEND_KEY = 'K'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)
/** A pooler sends a key of its own. */
const OWN_PROCESS_ID = 1

export async function transactionPooler(target: URL) {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const [first, second] = [0, 1].map(() => connect(Number(target.port), target.hostname))
    if (first === undefined || second === undefined) throw new Error('No connections')
    const sockets = [client, first, second]
    for (const socket of sockets) {
      open.add(socket)
      const close = () => sockets.forEach((each) => each.destroy())
      socket.on('error', close).on('close', () => (open.delete(socket), close()))
    }
    let [current, other] = [first, second]
    let isStarted = false
    client.on('data', (bytes) => {
      current.write(bytes)
      // The startup message, for which the client receives only the first server's response.
      if (!isStarted) second.write(bytes)
      isStarted = true
    })
    for (const from of [first, second]) {
      let isOpen = false
      onMessages(from, (message) => {
        const isIdle = message[0] === READY && message[5] === IDLE
        const isStartup = !isOpen
        isOpen ||= isIdle
        if (isStartup && from === second) return
        if (message[0] === BACKEND_KEY) message.writeInt32BE(OWN_PROCESS_ID, 5)
        client.write(message)
        if (isIdle && !isStartup) [current, other] = [other, current]
      })
    }
  })
  const port = await listen(server)
  return {
    url: Object.assign(new URL(target), { port: `${port}` }).href,
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

/** Calls back with each message of the server: a type, and a length that includes itself. */
function onMessages(socket: Socket, handle: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1)
      if (rest.length < end) return
      handle(Buffer.from(rest.subarray(0, end)))
      rest = rest.subarray(end)
    }
  })
}
