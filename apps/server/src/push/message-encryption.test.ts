import { expect, test } from 'vitest'
import { encryptMessage } from './message-encryption.ts'

// RFC 8291, appendix A.
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
  privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

test('RFC 8291: the standard’s example is reproduced exactly', () => {
  const { text, keys, salt, privateKey, message } = EXAMPLE
  expect(encryptMessage(text, { keys }, { salt, privateKey }).toString('base64url')).toBe(message)
})

test('RFC 8291: every message has its own key and salt', () => {
  const { text, keys } = EXAMPLE
  const [first, second] = [encryptMessage(text, { keys }), encryptMessage(text, { keys })]
  expect(first.subarray(0, 86)).not.toEqual(second.subarray(0, 86))
})

test('RFC 8291: a key that is not a point of the curve is refused', () => {
  const keys = { ...EXAMPLE.keys, p256dh: `B${'A'.repeat(86)}` }
  expect(() => encryptMessage('x', { keys })).toThrow('Public key is not valid for specified curve')
})
