import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends raw bytes to a server and returns everything received until it closes the connection. */
export async function rawRequest(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
  await once(socket, 'connect')
  socket.write(request)
  await once(socket, 'close')
  return answer
}
