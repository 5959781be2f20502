import { conversations } from './support/conversation.ts'
import { publishedPageKind } from './support/pages.ts'
import { THEIRS } from './support/wallets.ts'

// The published page and wallet through our relay: the reference for all other pairings.
conversations(publishedPageKind('3.10.3'), THEIRS)
conversations(publishedPageKind('3.10.2'), THEIRS)
