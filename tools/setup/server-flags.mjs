/**
 * Node's flags for the server. The young generation is limited to three times 16 MB: with a quarter of that, garbage
 * collection takes more than a quarter of a read's CPU time; with the default of newer versions, much memory stays allocated
 * after ten thousand connections. And the server may run a garbage collection after its start.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=16', '--expose-gc']
