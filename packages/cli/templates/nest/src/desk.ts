import { Prompt } from 'toolwright';
import { OrdersService } from './orders.service.js';

@Prompt({ ns: 'shop', key: 'desk', name: 'Shop desk', sections: [OrdersService] })
export class Desk {}
