import type { BannerApp } from '@portico/contracts/banner'
import type { PageData } from '@portico/contracts/page-data'
import { AppFrame, type AppFrameProps } from '@portico/ui/app-frame'
import { BannerSlot } from './banners/banner-slot.tsx'
import { CompanyNamesContext, companyNames } from './company-names.ts'
import { PageFooter, PageLogos } from './page-brand.tsx'
import { WalletBrandContext } from './wallet-brand.ts'

/** The frame of signed-in pages with the branding of the organization and the label (§1). */
export function SignedInFrame({
  page,
  banners,
  ...frame
}: Omit<AppFrameProps, 'logo' | 'footer' | 'announcements'> & {
  page: PageData
  /** The application whose announcements are shown; none by default. */
  banners?: BannerApp | undefined
}) {
  return (
    <WalletBrandContext value={page.wallet}>
      <CompanyNamesContext value={companyNames(page)}>
        <AppFrame
          {...frame}
          logo={<PageLogos page={page} />}
          footer={<PageFooter page={page} />}
          announcements={banners && <BannerSlot app={banners} url={page.bannersUrl} />}
        />
      </CompanyNamesContext>
    </WalletBrandContext>
  )
}
