/**
 * What Node is told when it runs the server: new objects may take 16 MB before they are looked through. Newer versions
 * allow twice as much, which stays taken once ten thousand connections were opened together.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=16']
