/**
 * Node's flags for the server. The young generation is limited to 4 MB: newer versions
 * allow eight times as much, which stays allocated after a start or ten thousand connections. And the
 * server may run a garbage collection after its start.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=4', '--expose-gc']
