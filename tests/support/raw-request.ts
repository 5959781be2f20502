import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends bytes to a server as they are, which no client would do, and gives all that comes back until it hangs up. */
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
