/** Connections that behave as no client should; each ends with the test, if the server has not ended it before. */
import { connect, type Socket } from 'node:net'

/** A connection that is being abused. */
export interface Abuse {
  readonly socket: Socket
  /** What has come back so far. */
  readonly answer: () => string
  /** Fulfilled when the connection has ended, by whomever. */
  readonly ended: Promise<void>
}

/** Connections of one test. */
export interface Sockets extends Disposable {
  /** Opens a connection; `reading` ones take what comes back. */
  readonly open: (url: string, options?: { readonly reading?: boolean }) => Abuse
}

/** Opens connections and ends them together. */
export function sockets(): Sockets {
  const opened: Socket[] = []
  return {
    open(url, { reading = true } = {}) {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      let answer = ''
      // A connection that the server resets has ended as well.
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

/** Sends a byte now and then until the connection ends: always at work, never done. */
export function trickle(socket: Socket, text: string, everyMs: number): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || !socket.writable) return clearInterval(timer)
    socket.write(text[at % text.length] ?? 'x')
    at += 1
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}
