import type { AccountChoice } from '@portico/rules/account-sections'
import type { ConnectCode } from '../wallet/connect/connect.flow.ts'

const ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

/** An account of its owner. */
export const EVERYDAY: AccountChoice = {
  account: { name: 'Everyday', address: ADDRESS },
  wallet: {
    address: ADDRESS,
    name: 'Everyday',
    type: 'FIGURE',
    authorizationType: 'Owner',
    verified: true,
  },
}

/** An account of an organization. */
export const BIRCH: AccountChoice = {
  account: { name: 'Birch Holdings', address: `${ADDRESS}b` },
  wallet: { ...EVERYDAY.wallet, name: 'Olga', authorizationType: 'Group' },
}

/** Accounts of every kind, one with the longest name. */
export const accounts = {
  individual: [
    EVERYDAY,
    {
      account: { name: 'Savings for the house in the country', address: `${ADDRESS}a` },
      wallet: { ...EVERYDAY.wallet, address: `${ADDRESS}a`, verified: false },
    },
  ],
  organizational: [BIRCH],
}

/** The three corners by which a QR code is known; nothing is to be read here. */
const CORNERS = ['0 0', '14 0', '0 14'].map((place) => `M${place}h7v7h-7zm2 2h3v3h-3z`).join('')

/** A code that looks like one and leads nowhere. */
export const QR_CODE: ConnectCode = {
  image: `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 21 21"><path fill="#fff" d="M0 0h21v21H0z"/><path fill-rule="evenodd" d="${CORNERS}"/></svg>`,
  )}`,
  link: 'https://lender.example/mobile-wallet?link=wc',
  tapLink: 'https://lender.example/mobile-wallet?link=tap',
}
