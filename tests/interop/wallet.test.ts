import { conversations } from './support/conversation.ts'
import { publishedPageKind } from './support/pages.ts'
import { OURS } from './support/wallets.ts'

conversations(publishedPageKind('3.10.3'), OURS)
conversations(publishedPageKind('3.10.2'), OURS)
