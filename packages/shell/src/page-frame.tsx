import type { BannerApp } from '@portico/contracts/banner'
import type { PageData } from '@portico/contracts/page-data'
import { branding } from '@portico/rules/branding'
import { Footer } from '@portico/ui/footer'
import { Frame } from '@portico/ui/frame'
import type { ReactNode } from 'react'
import { BannerSlot } from './banners/banner-slot.tsx'
import { Logo } from './logo.tsx'
import { WalletBrandContext } from './wallet-brand.ts'

/** The page frame with the branding of the organization and the label (§1, §2.3). */
export function PageFrame({
  page,
  banners,
  wide = false,
  partnered = false,
  children,
}: {
  page: PageData
  /** The application with the announcements that are shown, if any. */
  banners?: BannerApp | undefined
  /** For pages that are more than a form. */
  wide?: boolean
  /** For pages that are co-branded with the organization's partner (§2.5). */
  partnered?: boolean
  children: ReactNode
}) {
  const { companyInfo, partner } = page.organization.orgMetaData
  const { badge, nmls, phone, trust } = branding(page.organization)
  const { label } = page
  return (
    <Frame
      wide={wide}
      announcements={banners && <BannerSlot app={banners} url={page.bannersUrl} />}
      logo={
        <>
          <Logo {...companyInfo} />
          {label && <Logo {...label} />}
          {partnered && partner && <Logo {...partner} />}
        </>
      }
      // A partner's page shows it all in the footer (§2.5). A custom trust sentence may not include NMLS number and badge.
      trust={partnered ? undefined : trust}
      licenseInTrust={companyInfo.trustSentence === undefined}
      footer={
        <Footer
          links={[
            { label: 'Terms', href: companyInfo.termsUrl },
            { label: 'Privacy', href: companyInfo.privacyUrl },
            { label: 'Licenses', href: companyInfo.licensesUrl },
          ]}
          phone={partnered ? { ...phone, label: `Questions? ${phone.label}` } : phone}
          email={companyInfo.supportEmail}
          nmls={nmls}
          badge={badge}
          copyright={partnered ? `© ${companyInfo.legalName}` : undefined}
        />
      }
    >
      <WalletBrandContext value={page.wallet}>{children}</WalletBrandContext>
    </Frame>
  )
}
