/** The names of the published predecessor, which older pages still use (protocol 13). */
export const PREDECESSOR = { property: 'provenance', event: 'provWalletSendMessage' } as const
