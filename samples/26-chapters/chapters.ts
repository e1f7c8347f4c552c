import { md, Param, Section, Tool, type HookInput } from 'toolwright';

class DeskParams {
  @Param('The company whose staff is helped')
  company = 'Norrland Instruments';
}

/** State of the session: the user is about to travel. */
export class TripPlanned {
  constructor(readonly country: string) {}
}

class PersonParams {
  @Param('Login name, such as m.berg')
  login!: string;
}

class DeviceParams {
  @Param('Number on the sticker of the device, such as NI-0421')
  device!: string;
}

// Rules for every answer stay open: who the model is, how it talks, and its strict limits.
@Section({
  key: 'desk',
  title: 'Help desk',
  params: DeskParams,
  template: md`
    You are the help desk of ${'company'}. Answer in the language of the question, in short sentences.
    Never ask a customer for a password. Chapters below are shown as a summary: open one before you act on what it deals with.
  `,
})
export class DeskSection {}

// A chapter with its tools. The summary names its contents, in the words of users, and says when to open it.
@Section({
  key: 'accounts',
  title: 'Accounts and passwords',
  visibility: 'summary',
  summary: 'Locked accounts, forgotten passwords, a new phone for codes. Open it when somebody cannot log in.',
  template: `
    - An account locks after five wrong passwords and opens by itself after an hour. Unlock it at once when somebody asks;
      nobody needs to say why. Look whether it is locked at all first: most people who cannot log in mistype their name.
    - A forgotten password is set anew by its owner, with a link to their private address. The link lasts 20 minutes. If that
      address is out of date, their manager has to write to the desk; do not take it from anybody else.
    - A new phone for codes is registered at the desk, in person, with a badge. From abroad, a video call with a colleague
      who knows the person will do; note the name of that colleague in the ticket.
    - Accounts of people who have left stay closed. Hand such a question to the owner of the system, and tell nobody whether
      there still is such an account.
  `,
})
export class AccountsSection {
  @Tool('Unlock the account of a person.')
  unlockAccount({ login }: PersonParams): string {
    return `The account ${login} is unlocked.`;
  }

  @Tool('Send a person a link with which they set a new password.')
  sendPasswordLink({ login }: PersonParams): string {
    return `A link is on its way to the private address of ${login}.`;
  }
}

@Section({
  key: 'repairs',
  title: 'Repairs',
  template: `
    - A repair takes four working days. Lend a laptop of the pool meanwhile; it is picked up at the desk, with a badge.
    - Water and broken screens are paid by the company the first time. The second time their manager is asked.
    - Ask what is on the disk that is nowhere else before you order the repair: disks are wiped.
  `,
})
class RepairsSection {
  @Tool('Order the repair of a device, and lend another one meanwhile.')
  orderRepair({ device }: DeviceParams): string {
    return `The repair of ${device} is ordered; a laptop of the pool lies ready.`;
  }
}

// Summaries nest: this one is seen only when its parent is open.
@Section({
  key: 'lost',
  title: 'Lost devices',
  visibility: 'summary',
  summary: 'A device that is lost or stolen. Open it at once, before you ask anything else.',
  template: `
    Lock the device first; everything else can wait. Then ask where it was seen last, and whether it was stolen: for the
    insurance, the owner goes to the police within two days. A device that turns up is unlocked at the desk, in person.
  `,
})
class LostDevicesSection {
  @Tool('Lock a device from afar. What is on it stays encrypted.')
  lockDevice({ device }: DeviceParams): string {
    return `${device} is locked.`;
  }
}

@Section({
  key: 'laptops',
  title: 'Laptops',
  visibility: 'summary',
  summary: 'Laptops that are broken, slow, lost or too old. Open it for anything about a device.',
  template:
    'Ask for the number on the sticker first. Devices without a sticker are private; the desk does not touch them.',
  children: [RepairsSection, LostDevicesSection],
})
export class LaptopsSection {}

@Section({
  key: 'abroad',
  title: 'Working from abroad',
  summary:
    'Where a laptop may be taken, and how to log in from there. Open it when somebody is or will be in another country.',
  template: `
    - Within the EU everybody may work for 30 days a year; elsewhere their manager and the legal department agree first.
    - Log in over the VPN only, and only with the laptop of the company. A hotel's network is fine with it, a hotel's
      computer is not. Codes come to the phone also where it has no reception, if the app was set up at home.
    - Some countries do not let encrypted laptops in. The desk lends an empty one for such a trip; ask for it a week ahead.
  `,
})
export class AbroadSection {
  // Open from the start for those who will need it: a model that has to ask costs a request.
  visibility({ session }: HookInput): 'full' | 'summary' {
    return session.slice(TripPlanned).latest() === undefined ? 'summary' : 'full';
  }
}
