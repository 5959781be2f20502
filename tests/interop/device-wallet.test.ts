import { encodeSecp256k1Pubkey, pubkeyToAddress } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature, sha256, stringToPath } from '@cosmjs/crypto'
import {
  DirectSecp256k1HdWallet,
  decodeTxRaw,
  makeSignBytes,
  makeSignDoc,
  Registry,
} from '@cosmjs/proto-signing'
import { type ChainNode, openChain } from '@portico/chain-client/chain'
import { sendMessage } from '@portico/chain-client/messages'
import { aDevelopmentChain } from '@portico/development-chain/testing'
import { base64Of, bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { accountPath, NETWORKS } from '@portico/keys/networks'
import { openDeviceKeyKeeper } from '@portico/self-custody/device-key-keeper'
import { memoryKeyStore } from '@portico/self-custody/unlocked-key'
import { memoryStore } from '@portico/wallet-kit/memory-store'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect, test } from 'vitest'

const WORDS =
  'dance net yard verb mosquito face cliff close pig diesel popular shuffle scrap minimum honey broccoli scatter shrug squirrel jump hello rally achieve later'
const SUBMIT = '/cosmos/tx/v1beta1/txs'
const prompt = { promptId: 'site:1', origin: 'https://lender.example' }

async function aWallet(network: (typeof NETWORKS)[keyof typeof NETWORKS] = NETWORKS.testnet) {
  const chain = await aDevelopmentChain()
  const submitted: Uint8Array[] = []
  const node: ChainNode = async (path, body) => {
    if (path === SUBMIT && body !== undefined) {
      const { tx_bytes } = body as { tx_bytes: string } // The client's format.
      submitted.push(bytesOfBase64(tx_bytes) ?? new Uint8Array())
    }
    return chain.node(path, body)
  }
  const keeper = openDeviceKeyKeeper({
    store: memoryStore(),
    unlockedKeyStore: memoryKeyStore(),
    chain: openChain(node),
    network,
    issuer: 'portico.example',
    clock: chain.at,
  })
  await keeper.createVault({
    words: WORDS,
    passphrase: 'correct horse battery',
    accountName: 'First',
  })
  await keeper.create({ name: 'Second' })
  const published = await DirectSecp256k1HdWallet.fromMnemonic(WORDS, {
    prefix: network.prefix,
    hdPaths: [0, 1].map((index) => stringToPath(accountPath(network, index))),
  })
  const [first] = await keeper.accounts()
  const publicKey = bytesOfBase64(first?.publicKey ?? '') ?? new Uint8Array()
  return { keeper, published, submitted, address: first?.address ?? '', publicKey }
}

const isSigned = (signature: Uint8Array, bytes: Uint8Array, publicKey: Uint8Array) =>
  Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), sha256(bytes), publicKey)

test.each(Object.values(NETWORKS))(
  '3 a published library derives the accounts of our wallet on $chainId',
  async (network) => {
    const { keeper, published } = await aWallet(network)
    const ours = await keeper.accounts()
    const theirs = await published.getAccounts()
    expect(ours.map(({ address }) => address)).toEqual(theirs.map(({ address }) => address))
    expect(ours.map(({ publicKey }) => publicKey)).toEqual(
      theirs.map(({ pubkey }) => base64Of(pubkey)),
    )
    for (const { address, pubkey } of theirs) {
      expect(pubkeyToAddress(encodeSecp256k1Pubkey(pubkey), network.prefix)).toBe(address)
    }
  },
)

test('10 a published library verifies and decodes the transaction of our wallet, and would sign the same', async () => {
  const { keeper, published, submitted, address, publicKey } = await aWallet()
  const [, second] = await keeper.accounts()
  const payment = {
    fromAddress: address,
    toAddress: second?.address ?? '',
    amount: [{ denom: 'nhash', amount: '5' }],
  }
  const { approvalId } = await keeper.requestApproval(
    {
      kind: 'send',
      address,
      memo: 'Rent',
      messages: [
        sendMessage({ from: address, to: payment.toAddress, amount: '5', denom: 'nhash' }),
      ],
    },
    prompt,
  )
  expect(await keeper.approve(approvalId)).toMatchObject({ txResponse: { code: 0 } })

  const [bytes = new Uint8Array()] = submitted
  const { body, authInfo, signatures } = decodeTxRaw(bytes)
  const [message = { typeUrl: '', value: new Uint8Array() }] = body.messages
  expect(new Registry().decode(message)).toMatchObject(payment)
  expect([body.memo, authInfo.signerInfos[0]?.sequence]).toEqual(['Rent', 0n])

  const { bodyBytes, authInfoBytes } = TxRaw.decode(bytes)
  // Accounts of the development chain are numbered from one, in the order of their first query.
  const document = makeSignDoc(bodyBytes, authInfoBytes, NETWORKS.testnet.chainId, 1)
  const [signature = new Uint8Array()] = signatures
  expect(isSigned(signature, makeSignBytes(document), publicKey)).toBe(true)
  const theirs = await published.signDirect(address, document)
  expect(base64Of(signature)).toBe(theirs.signature.signature)
})

test('10 a published library verifies the messages and tokens that our wallet signs', async () => {
  const { keeper, address, publicKey } = await aWallet()
  const messageHex = '00ff68656c6c6f'
  const signed = await keeper.requestApproval({ kind: 'sign', address, messageHex }, prompt)
  const result = await keeper.approve(signed.approvalId)
  const signature = bytesOfHex(result.kind === 'sign' ? result.signature : '') ?? new Uint8Array()
  const message = bytesOfHex(messageHex) ?? new Uint8Array()
  expect(isSigned(signature, message, publicKey)).toBe(true)
  expect(isSigned(signature, message.slice(1), publicKey)).toBe(false)

  const connect = { kind: 'connect', address } as const
  const connection = await keeper.requestApproval(connect, { ...prompt, promptId: 'site:2' })
  const connected = await keeper.approve(connection.approvalId)
  const token = connected.kind === 'connect' ? connected.account.jwt : ''
  const [header = '', payload = '', last = ''] = token.split('.')
  const tokenSignature = bytesOfBase64(last) ?? new Uint8Array()
  const unsigned = new TextEncoder().encode(`${header}.${payload}`)
  expect(isSigned(tokenSignature, unsigned, publicKey)).toBe(true)
})
