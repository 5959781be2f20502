/**
 * What Node is told when it runs the server. New objects may take 4 MB before they are looked through: newer versions
 * allow eight times as much, which stays taken once it was needed, after a start or ten thousand connections. And the
 * server may give back by itself what its start took.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=4', '--expose-gc']
