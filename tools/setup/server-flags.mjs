/**
 * What Node is told when it runs the server: new objects may take 4 MB before they are looked through. Newer versions
 * allow eight times as much, which stays taken once it was needed: after a start, or ten thousand connections.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=4']
