import { openChain } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { responseOfProposal } from '@portico/chain-client/proposals'
import type { Proposed } from '@portico/contracts/hosted-wallet'

/** What became of a proposal, according to the chain at a URL; undefined while it waits for votes. */
export const proposalOutcome = (chainUrl: string, proposed: Proposed) =>
  responseOfProposal(openChain(httpChainNode(chainUrl)), proposed, Date.now)
