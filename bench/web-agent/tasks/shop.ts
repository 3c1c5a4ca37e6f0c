import type { Shop } from '../sites/shop.ts'
import { max, named, type WebTask } from './task.ts'

const of = ({ products }: Shop, category: string) => products.filter((one) => one.category === category)
const cart = (state: Shop, sku: string, quantity: number) => state.carts.set('somebody', [{ sku, quantity }])

export const shopTasks: readonly WebTask<Shop>[] = [
  {
    text: 'What is the price of the product "Walnut Desk Lamp"?',
    answer: ({ products }) => named(products, 'name', 'Walnut Desk Lamp').price / 100,
  },
  {
    text: 'Add 3 of the "Enamel Mug" to the cart.',
    change: (state) => {
      cart(state, 'enamel-mug', 3)
    },
  },
  {
    text: 'Which product of the category "Lamps" has the lowest weight?',
    answer: (state) => max(of(state, 'Lamps'), (one) => one.weight_grams, -1).name,
  },
  {
    text: 'Add the lightest product of the category "Backpacks" to the cart.',
    change: (state) => {
      cart(state, max(of(state, 'Backpacks'), (one) => one.weight_grams, -1).sku, 1)
    },
  },
  {
    text: 'Write a review of the product "Copper Kettle" with the rating 5 and the text "Boils fast."',
    change: ({ reviews }) => {
      reviews.push({ sku: 'copper-kettle', stars: 5, text: 'Boils fast.' })
    },
  },
  {
    text: 'How many products of the category "Kitchen" are out of stock?',
    answer: (state) => of(state, 'Kitchen').filter((one) => one.stock === 0).length,
  },
  {
    text: 'Order 2 of the "Canvas Tote" to the address "Mill Lane 12" with the delivery "Express".',
    change: ({ orders }) => {
      orders.push({
        number: 1008,
        lines: [{ sku: 'canvas-tote', quantity: 2 }],
        address: 'Mill Lane 12',
        delivery: 'Express',
        state: 'placed',
      })
    },
  },
  {
    text: 'Add the product of the category "Notebooks" with the highest rating to the wishlist.',
    held: true,
    change: (state) => {
      state.wishlist.push(max(of(state, 'Notebooks'), (one) => one.rating).sku)
    },
  },
  {
    text: 'Cancel the order "1007".',
    held: true,
    change: ({ orders }) => {
      const order = orders.find((one) => one.number === 1007)
      if (order) order.state = 'cancelled'
    },
  },
  {
    text: 'What is the average price of the products of the category "Lamps"?',
    held: true,
    answer: (state) => of(state, 'Lamps').reduce((sum, one) => sum + one.price / 100, 0) / of(state, 'Lamps').length,
  },
]
