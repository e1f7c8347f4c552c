import { Section, Tool, ToolContext, ToolRefusal } from 'toolwright';
import type { UserRow } from '../store/rows.js';
import { UserRepository } from '../store/UserRepository.js';
import { addressOf } from './addressOf.js';
import { EmailParams, NameZipParams, UserAddressParams, UserParams } from './params.js';

@Section({
  key: 'customers',
  title: 'Customers',
  template: `
    Look a customer up by email first; by name and zip code only when the email is unknown or not found.
    The user details list the customer's orders and payment methods.
    The default address is where future orders go: changing it leaves the orders that exist as they are.
  `,
})
export class CustomersSection {
  @Tool({ description: 'Find the user id for an email address.', hints: { readOnly: true } })
  findUserIdByEmail(params: EmailParams, context: ToolContext): string {
    const id = context.resources.get(UserRepository).findIdByEmail(params.email);
    if (id === undefined) {
      throw new ToolRefusal(
        `No customer has the email ${params.email}. Ask for another one, or use find_user_id_by_name_zip.`,
      );
    }
    return id;
  }

  @Tool({ description: 'Find the user id for a first name, a last name and a zip code.', hints: { readOnly: true } })
  findUserIdByNameZip(params: NameZipParams, context: ToolContext): string {
    const { firstName, lastName, zip } = params;
    const id = context.resources.get(UserRepository).findIdByNameAndZip(firstName, lastName, zip);
    if (id === undefined) {
      throw new ToolRefusal(
        `No customer is called ${firstName} ${lastName} with zip code ${zip}. Ask for the spelling or for the email.`,
      );
    }
    return id;
  }

  @Tool({
    description: 'Get the profile of a customer: name, address, email, payment methods, orders.',
    hints: { readOnly: true },
  })
  getUserDetails(params: UserParams, context: ToolContext): UserRow {
    return context.resources.get(UserRepository).get(params.userId);
  }

  @Tool({
    description: 'Replace the default address of a customer. Needs the explicit yes of the customer.',
    preview(this: CustomersSection, params: UserAddressParams, context) {
      return this.modifyUserAddress(params, context);
    },
  })
  modifyUserAddress(params: UserAddressParams, context: ToolContext): UserRow {
    const users = context.resources.get(UserRepository);
    return users.save(params.userId, { ...users.get(params.userId), address: addressOf(params) });
  }
}
