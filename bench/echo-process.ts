// The baseline of the relay figures: an echo with the same websocket library.
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
})
server.on('listening', () => {
  // A listening TCP server has this type.
  process.send?.({ port: (server.address() as AddressInfo).port })
})
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
