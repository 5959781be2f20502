import { conversations } from './support/conversation.ts'
import { publishedPageKind } from './support/pages.ts'
import { THEIRS } from './support/wallets.ts'

// Their page and their wallet through our relay: every other pairing is held to what these two do.
conversations(publishedPageKind('3.10.3'), THEIRS)
conversations(publishedPageKind('3.10.2'), THEIRS)
