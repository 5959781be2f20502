/** Misbehaving connections, closed at the end of the test if the server has not closed them. */
import { connect, type Socket } from 'node:net'

export interface Abuse {
  readonly socket: Socket
  /** The data received so far. */
  readonly answer: () => string
  /** Resolves when the connection has closed from either side. */
  readonly ended: Promise<void>
}

export interface Sockets extends Disposable {
  /** Opens a connection; `reading` ones consume the response. */
  readonly open: (url: string, options?: { readonly reading?: boolean }) => Abuse
}

export function sockets(): Sockets {
  const opened: Socket[] = []
  return {
    open(url, { reading = true } = {}) {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      let answer = ''
      // A reset by the server also counts as closed.
      socket.on('error', () => undefined)
      if (reading) socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
      else socket.pause()
      opened.push(socket)
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      return { socket, answer: () => answer, ended }
    },
    [Symbol.dispose]: () => opened.forEach((socket) => socket.destroy()),
  }
}

/** Sends a byte now and then until the connection closes. */
export function trickle(socket: Socket, text: string, everyMs: number): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || !socket.writable) return clearInterval(timer)
    socket.write(text[at % text.length] ?? 'x')
    at += 1
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}
