import { expect } from 'chai'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

describe(browserTitle('the dashboard in a browser of another language'), () => {
  const fixture = dashboardFixture()

  for (const { locale, date, early } of [
    {
      locale: 'de-DE',
      early: /, 01:05:09$/,
      date: /^[A-Z][a-z]+day, \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d:\d\d GMT\+1\n/,
    },
    {
      locale: 'ar-EG',
      early: /, 1:05:09\sAM$/,
      date: /^[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d\d:\d\d\s[AP]M GMT\+1\n/,
    },
  ]) {
    it(`has English words and digits, and the order of a date and the clock of the region: ${locale}`, async () => {
      const user = await fixture.user('owner')
      const storageState = await user.page.context().storageState()
      user.close()
      const timezoneId = 'Africa/Lagos'
      const context = await fixture.browser.newContext({ locale, timezoneId, storageState })
      const page = await context.newPage()
      await page.route('**/audit.list?*', async route => {
        const response = await route.fetch()
        const body = (await response.text()).replaceAll(/"at":"([\d-]+)T[^"]+"/g, '"at":"$1T00:05:09.000Z"')
        await route.fulfill({ response, body })
      })
      await page.goto(`${fixture.service.baseUrl}/dashboard/audit-log`)
      const time = page.locator('main time[title]').first()
      await time.waitFor()
      expect(await time.textContent()).to.match(early)
      expect(await time.getAttribute('title')).to.match(date)
      await time.click()
      const panel = page.getByRole('dialog', { name: 'Audit event' })
      await panel.getByText('Times in Africa/Lagos.').waitFor()
      await panel.getByRole('button', { name: 'Show UTC' }).press('Enter')
      expect(await panel.locator('time').first().textContent()).to.match(/, (00|12):05:09/)
      await page.goto(`${fixture.service.baseUrl}/dashboard/billing`)
      await page
        .getByText(/\d,\d{3}/)
        .first()
        .waitFor()
      expect(await page.locator('body').innerText()).not.to.match(/\d\.\d{3}\b|[\u0600-\u06ff]/)
      await page.goto(`${fixture.service.baseUrl}/dashboard/verifications`)
      expect(await page.getByText(/^Updated /).textContent()).to.match(/^Updated (now|\d+ sec\. ago)$/)
      await context.close()
    })
  }

  it('is loaded where the language of the browser is no language tag', async () => {
    const user = await fixture.user('owner')
    const storageState = await user.page.context().storageState()
    user.close()
    const context = await fixture.browser.newContext({ storageState })
    await context.addInitScript("Object.defineProperty(navigator, 'language', { value: 'en-US@posix' })")
    const page = await context.newPage()
    await page.goto(`${fixture.service.baseUrl}/dashboard/audit-log`)
    const time = page.locator('main time[title]').first()
    expect(await time.getAttribute('title')).to.match(/ UTC$/)
    await context.close()
  })
})
