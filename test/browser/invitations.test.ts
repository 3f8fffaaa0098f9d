import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { eventually } from '../harness/eventually.ts'
import { changeResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

describe(browserTitle('invitations in the dashboard'), () => {
  const fixture = dashboardFixture()
  let owner: DashboardUser
  let guest: DashboardUser
  let link: URL
  before(async () => {
    owner = await fixture.user('owner', { path: '/settings/members' })
  })

  const choose = async (action: string, name: string) => {
    await owner.page.getByRole('button', { name: `Actions for ${name}` }).click()
    await owner.page.getByRole('menuitem', { name: action }).click()
  }

  const rowOf = (name: string) =>
    owner.page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: name })

  async function storedRole(): Promise<string | null> {
    await owner.open('/settings/members')
    return await rowOf(guest.subject).getByRole('cell').nth(1).textContent()
  }

  async function invite(role: string, note?: string): Promise<URL> {
    const { page } = owner
    await page.getByRole('button', { name: 'Invite member' }).click()
    const dialog = page.getByRole('dialog')
    await page.locator('input:focus').waitFor()
    if (note) await dialog.getByRole('textbox', { name: 'For whom' }).fill(note)
    await dialog.getByRole('radio', { name: role }).check()
    await dialog.getByRole('combobox', { name: 'The link works for' }).selectOption('3 days')
    expect(await owner.accessibilityViolations(), 'role').to.deep.equal([])
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const text = await page.getByRole('region', { name: 'invitation link, as text' }).textContent()
    expect(await page.evaluate('document.activeElement.ariaLabel')).to.equal('invitation link, as text')
    expect(await owner.accessibilityViolations(), 'link').to.deep.equal([])
    await dialog.getByRole('button', { name: "I've copied the link" }).click()
    await dialog.waitFor({ state: 'hidden' })
    return new URL(text ?? '')
  }

  it('an owner creates a link, which is shown once and has its code in the fragment', async () => {
    const { page } = owner
    await page.getByText('There are no open invitations.').waitFor()
    link = await invite('Developer', 'Dana from the agency')
    expect(link.href).to.match(/\/dashboard\/invitations#[\w-]{43}$/)
    const row = page.getByRole('table', { name: 'Open invitations' }).getByRole('row').nth(1)
    expect(await row.textContent()).to.contain(`Dana from the agencyDeveloper${owner.subject}`)
    expect(await page.content()).not.to.contain(link.hash.slice(1))
    expect(await owner.accessibilityViolations()).to.deep.equal([])
  })

  it('asks before the link is lost by Escape', async () => {
    const { page } = owner
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
    const box = page.getByRole('region', { name: 'invitation link, as text' })
    await box.waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Have you copied the link?').waitFor()
    expect(await box.textContent()).to.contain('/dashboard/invitations#')
    await page.getByRole('button', { name: 'Back to the link' }).and(page.locator(':focus')).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close anyway' }).click()
    await choose('Revoke', 'the invitation as viewer')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
    await page.getByText('Invitation revoked.').waitFor()
  })

  it('a user who opens the link signs in, sees tenant, role and inviter, and accepts', async () => {
    guest = await fixture.user('newcomer', { path: `/invitations${link.hash}` })
    const { page } = guest
    await page.getByRole('heading', { name: 'Join Demo?' }).waitFor()
    const details = await page.getByRole('main').textContent()
    expect(details).to.contain(`You are signed in as ${guest.subject}.`).and.contain(owner.subject)
    expect(details).to.contain('Developer.').and.not.contain('agency')
    expect(await guest.accessibilityViolations()).to.deep.equal([])
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await page.getByText('You joined Demo.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(new URL(page.url()).hash).to.equal('')
    expect(guest.consoleErrors).to.deep.equal([])
    await guest.open('/api-keys')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Of the guest')
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('button', { name: "I've stored the key" }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('the owner sees the new member, and no open invitation', async () => {
    const { page } = owner
    await owner.open('/settings/members')
    const text = (await rowOf(guest.subject).textContent()) ?? ''
    expect(text).to.contain('Developer')
    expect(await rowOf(owner.subject).textContent()).to.contain('You')
    await page.getByText('There are no open invitations.').waitFor()
    expect(owner.consoleErrors).to.deep.equal([])
  })

  it('the owner changes a role only by confirming it, and never by an arrow key', async () => {
    const { page } = owner
    const dialog = page.getByRole('dialog', { name: `Change the role of ${guest.subject}?` })
    await choose('Change role', guest.subject)
    await page.locator('input[type=radio]:focus').waitFor()
    await page.keyboard.press('ArrowUp')
    await dialog.getByRole('button', { name: 'Make viewer' }).waitFor()
    expect(await owner.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await storedRole()).to.equal('Developer')
    await choose('Change role', guest.subject)
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await dialog.getByText('Choose another role.').waitFor()
    await dialog.getByRole('radio', { name: 'Viewer' }).check()
    await dialog.getByRole('button', { name: 'Make viewer' }).click()
    await page.getByText(`${guest.subject} is now viewer.`).waitFor()
    expect(await storedRole()).to.equal('Viewer')
  })

  it('the last owner sees beforehand why they can neither change their role nor leave', async () => {
    const { page } = owner
    const reason = 'A tenant needs an owner who has signed in.'
    await owner.open('/settings/members')
    await page.getByRole('button', { name: `Actions for ${owner.subject}` }).click()
    // Playwright waits for what is disabled to be enabled.
    await page.getByRole('menuitem', { name: `Change role … ${reason}` }).click({ force: true })
    await page.keyboard.press('Escape')
    const leave = page.getByRole('button', { name: 'Leave tenant' })
    await eventually(() => page.getByText(reason).count(), { until: count => count === 0 })
    await leave.focus()
    await page.keyboard.press('Enter')
    expect(await leave.getAttribute('aria-description')).to.contain(reason)
    expect(await page.getByRole('dialog').count()).to.equal(0)
    expect(await owner.accessibilityViolations()).to.deep.equal([])
  })

  it('the owner sees before the form that no more people can be invited', async () => {
    const { page } = owner
    const button = page.getByRole('button', { name: 'Invite member' })
    const fill = (data: { items: object[] }) => {
      data.items = Array.from({ length: 50 }, (_, index) => ({ ...open, invitationId: String(index) }))
    }
    const now = new Date().toISOString()
    const open = {
      role: 'viewer',
      note: null,
      inviter: 'a',
      inviterName: null,
      createdAt: now,
      expiresAt: now,
    }
    await changeResponses(page, 'members.listInvitations', fill)
    await owner.open('/settings/members')
    await page.locator('button[aria-disabled=true]', { hasText: 'Invite member' }).focus()
    await page.getByRole('tooltip', { name: 'This tenant has 50 open invitations' }).waitFor()
    await page.unrouteAll()
    await changeResponses(page, 'session.me', data => {
      data.standing.members = 500
    })
    await owner.open('/settings/members')
    await eventually(() => button.getAttribute('aria-description'), {
      until: reason => reason?.startsWith('This tenant has 500 members') ?? false,
    })
    await page.unrouteAll()
    await owner.open('/settings/members')
  })

  it('a spent link and an incomplete one say why they cannot be accepted', async () => {
    await guest.open(`/invitations${link.hash}`)
    await guest.page.getByText('This invitation was already accepted.').waitFor()
    await guest.open('/invitations')
    await guest.page.getByText('The link is incomplete.').waitFor()
    expect(await guest.accessibilityViolations()).to.deep.equal([])
  })

  it('an owner who removes a member is told of the API keys that the member created, and led to them', async () => {
    const { page } = owner
    await owner.open('/settings/members')
    await choose('Remove', guest.subject)
    const dialog = page.getByRole('dialog', { name: `Remove ${guest.subject}?` })
    await dialog.getByText('rotate the signing secret if they may have seen it').waitFor()
    await dialog.getByRole('link', { name: 'Of the guest' }).waitFor()
    expect(await dialog.getByRole('link').allTextContents()).to.deep.equal(['Of the guest'])
    expect(await owner.accessibilityViolations()).to.deep.equal([])
    await dialog.getByRole('link', { name: 'Of the guest' }).click()
    const panel = page.getByRole('dialog', { name: 'API key', exact: true })
    await panel.getByText('Created by').waitFor()
    expect(await panel.textContent()).to.contain(`Created by${guest.subject}`)
  })

  it('a member who is removed reads that they have no access any more, on the page that they had open', async () => {
    const viewer = await fixture.user('viewer', { path: '/overview' })
    // Of an empty tenant: to start a verification is for those who may.
    await viewer.page.getByRole('link', { name: 'See the first steps' }).waitFor()
    expect(await viewer.page.getByRole('link', { name: 'Start your first' }).count()).to.equal(0)
    await owner.open('/settings/members')
    await choose('Remove', viewer.subject)
    const dialog = owner.page.getByRole('dialog', { name: `Remove ${viewer.subject}?` })
    await dialog.getByText('No active API key was created by them.').waitFor()
    await dialog.getByRole('button', { name: 'Remove member' }).click()
    await owner.page.getByText('Member removed.').waitFor()
    await viewer.page.reload()
    await viewer.page.getByText('You are no longer a member of this tenant').waitFor()
    expect(await viewer.accessibilityViolations()).to.deep.equal([])
  })

  it('a member leaves the tenant, is told of the keys that they created, and sees the first steps', async () => {
    const { page } = guest
    await guest.goTo('/settings/members', 'Members · Age verification')
    await page.getByRole('button', { name: 'Leave tenant' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave Demo?' })
    await dialog.getByRole('link', { name: 'Of the guest' }).waitFor()
    await dialog.getByRole('button', { name: 'Leave tenant' }).click()
    await page.getByText('You left Demo.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor()
    await page.getByRole('textbox', { name: 'Tenant name' }).waitFor()
    await owner.open('/api-keys')
    await owner.page.getByRole('table').getByText(`Former member ${guest.subject}`).waitFor()
  })

  it('the code is in no URL that the page requests, and in no line that the service logs', async () => {
    await guest.open(`/invitations${link.hash}`)
    await guest.page.getByText('This invitation was already accepted.').waitFor()
    const urls = await guest.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    expect(urls).to.include(`${fixture.service.baseUrl}/console/session.invitation`)
    expect(String(urls)).not.to.contain(link.hash.slice(1))
    const log = await readFile(fixture.service.logFile, 'utf8')
    expect(log).to.contain('"route":"/console"').and.not.contain(link.hash.slice(1))
  })
})

describe(browserTitle('the dashboard of a service with closed provisioning'), () => {
  const fixture = dashboardFixture()

  it('explains to a user without a tenant how to get one, instead of offering the form', async () => {
    const user = await fixture.user('newcomer')
    const { page } = user
    await changeResponses(page, 'session.me', data => Object.assign(data, { provisioning: 'closed' }))
    await user.open('/first-steps')
    await page.getByText("Users can't create tenants on this service.").waitFor()
    expect(await page.getByRole('textbox', { name: 'Tenant name' }).count()).to.equal(0)
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await user.open('/api-keys')
    await page.getByText('Ask an owner of a tenant to invite you.').waitFor()
    expect(await page.getByRole('link', { name: 'Create a tenant' }).count()).to.equal(0)
    expect(user.consoleErrors).to.deep.equal([])
  })
})
