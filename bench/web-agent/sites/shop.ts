/** A shop whose API reads the catalogue and no more: cart, orders, reviews and wishlist are pages only, and weights and ratings are API only. */
import { dice, html, json, missing, option, page, paged, type Reply, type Site, seeOther, text } from './site.ts'

export type Product = {
  sku: string
  name: string
  category: string
  /** Cents. */
  price: number
  stock: number
  weight_grams: number
  rating: number
}
type Line = { sku: string; quantity: number }
type Order = { number: number; lines: Line[]; address: string; delivery: string; state: 'placed' | 'cancelled' }
export type Shop = {
  products: Product[]
  carts: Map<string, Line[]>
  orders: Order[]
  reviews: { sku: string; stars: number; text: string }[]
  wishlist: string[]
}

const kinds: { readonly [category: string]: readonly string[] } = {
  Lamps: ['Desk Lamp', 'Floor Lamp', 'Clip Lamp', 'Lantern'],
  Notebooks: ['Notebook', 'Sketchbook', 'Diary', 'Planner'],
  Backpacks: ['Backpack', 'Daypack', 'Tote', 'Satchel'],
  Kitchen: ['Mug', 'Kettle', 'Cutting Board', 'Teapot'],
}
const makes = ['Walnut', 'Enamel', 'Canvas', 'Copper', 'Linen', 'Birch', 'Slate', 'Cork', 'Brass', 'Felt', 'Ash', 'Olive']
const slug = (words: string) => words.toLowerCase().replaceAll(' ', '-')

function fresh(): Shop {
  const roll = dice(23)
  const products = Object.entries(kinds).flatMap(([category, nouns]) =>
    nouns.flatMap((noun) =>
      makes.map(
        (make): Product => ({
          sku: slug(`${make} ${noun}`),
          name: `${make} ${noun}`,
          category,
          price: 400 + roll(9_600),
          stock: roll(5) === 0 ? 0 : 1 + roll(30),
          weight_grams: 100 + roll(4_000),
          rating: (100 + roll(400)) / 100,
        }),
      ),
    ),
  )
  const orders = [1005, 1006, 1007].map(
    (number, index): Order => ({
      number,
      lines: [{ sku: products[index * 20]?.sku ?? '', quantity: 1 + index }],
      address: 'Harbour Road 1',
      delivery: 'Standard',
      state: 'placed',
    }),
  )
  return { products, carts: new Map(), orders, reviews: [], wishlist: [] }
}

const nav = `<nav aria-label="Main"><a href="/">Home</a> ${Object.keys(kinds)
  .map((name) => `<a href="/c/${slug(name)}">${name}</a>`)
  .join(
    ' ',
  )} <a href="/wishlist">Wishlist</a> <a href="/orders">My orders</a> <a href="/cart">Cart</a></nav><form action="/search" role="search"><input type="search" name="q" aria-label="Search products"> <button>Search</button></form>`
const money = (cents: number) => `$${(cents / 100).toFixed(2)}`

function listPage(title: string, products: readonly Product[], query: URLSearchParams, at: string): Reply {
  const link = (number: number) => `${at}${at.includes('?') ? '&' : '?'}page=${number}`
  const { items, links } = paged(products, Number(query.get('page') ?? 1), 10, link)
  const cards = items.map((one) => `<li><a href="/p/${one.sku}">${html(one.name)}</a> <span>${money(one.price)}</span></li>`)
  return page(title, nav, `<ul>${cards.join('')}</ul>${links}`)
}

function productPage(one: Product, { reviews }: Shop): Reply {
  const own = reviews.filter((review) => review.sku === one.sku)
  const list = own.map((review) => `<li>${review.stars} of 5: ${html(review.text)}</li>`).join('')
  return page(
    one.name,
    nav,
    `<p>From our department ${html(one.category)}.</p><dl><dt>Price</dt><dd>${money(one.price)}</dd><dt>Availability</dt><dd>${one.stock > 0 ? 'In stock' : 'Sold out'}</dd></dl>
    <form method="post" action="/cart"><input type="hidden" name="sku" value="${one.sku}"><label>Quantity <input type="number" name="quantity" value="1" min="1"></label> <button>Add to cart</button></form>
    <form method="post" action="/wishlist"><input type="hidden" name="sku" value="${one.sku}"><button>Add to wishlist</button></form>
    <section aria-label="Reviews"><h2>Reviews</h2><ul>${list}</ul><form method="post" action="/p/${one.sku}/reviews"><label>Rating <select name="stars">${[1, 2, 3, 4, 5].map((stars) => option(stars, stars, 3)).join('')}</select></label> <label>Your review <textarea name="text"></textarea></label> <button>Submit review</button></form></section>`,
  )
}

const nameOf = ({ products }: Shop, sku: string) => products.find((one) => one.sku === sku)?.name ?? sku

function cartPage(state: Shop, lines: readonly Line[]): Reply {
  const rows = lines.map((line) => `<tr><td>${html(nameOf(state, line.sku))}</td><td>${line.quantity}</td></tr>`).join('')
  return page(
    'Cart',
    nav,
    lines.length === 0
      ? '<p>Your cart is empty.</p>'
      : `<table><thead><tr><th>Product</th><th>Quantity</th></tr></thead><tbody>${rows}</tbody></table><a href="/checkout">Checkout</a>`,
  )
}

const checkoutPage = () =>
  page(
    'Checkout',
    nav,
    `<form method="post" action="/checkout"><p><label>Delivery address <input name="address" required></label></p><fieldset><legend>Delivery</legend>${['Standard', 'Express', 'Pick-up'].map((name) => `<label><input type="radio" name="delivery" value="${name}"${name === 'Standard' ? ' checked' : ''}> ${name}</label>`).join(' ')}</fieldset><button>Place order</button></form>`,
  )

function orderPage(state: Shop, order: Order): Reply {
  const rows = order.lines.map((line) => `<li>${line.quantity} of ${html(nameOf(state, line.sku))}</li>`).join('')
  const cancel =
    order.state === 'placed' ? `<form method="post" action="/orders/${order.number}/cancel"><button>Cancel order</button></form>` : ''
  return page(
    `Order ${order.number}`,
    nav,
    `<ul>${rows}</ul><dl><dt>Status</dt><dd>${order.state}</dd><dt>Address</dt><dd>${html(order.address)}</dd><dt>Delivery</dt><dd>${html(order.delivery)}</dd></dl>${cancel}`,
  )
}

export const shop: Site<Shop> = {
  fresh,
  look: ({ products: _, carts, ...rest }) => ({ ...rest, carts: [...carts.values()] }),
  answer(state, { method, path, query, form, session }) {
    if (path === '/robots.txt') return text('User-agent: *\nDisallow: /admin\n')
    if (path === '/.well-known/openapi.json') return json(document)
    if (path.startsWith('/api/')) return api(state, method, path.slice(4), query)
    if (path === '/') return page('Shop', nav, '<p>Things to have and to carry.</p>')
    const category = Object.keys(kinds).find((name) => path === `/c/${slug(name)}`)
    if (category)
      return listPage(
        category,
        state.products.filter((one) => one.category === category),
        query,
        path,
      )
    if (path === '/search') {
      const q = query.get('q') ?? ''
      const found = state.products.filter((one) => one.name.toLowerCase().includes(q.toLowerCase()))
      return listPage(`Search: ${q}`, found, query, `/search?${new URLSearchParams({ q })}`)
    }
    const cart = state.carts.get(session) ?? []
    const product = state.products.find((one) => `/p/${one.sku}` === path || `/p/${one.sku}/reviews` === path)
    if (product && method === 'GET') return productPage(product, state)
    if (product) {
      state.reviews.push({ sku: product.sku, stars: Number(form.get('stars')), text: form.get('text') ?? '' })
      return seeOther(`/p/${product.sku}`)
    }
    const sku = form.get('sku') ?? ''
    if (path === '/cart' && method === 'GET') return cartPage(state, cart)
    if (path === '/cart') {
      state.carts.set(session, [...cart, { sku, quantity: Number(form.get('quantity') ?? 1) }])
      return seeOther('/cart')
    }
    if (path === '/wishlist' && method === 'POST') {
      state.wishlist.push(sku)
      return seeOther('/wishlist')
    }
    if (path === '/wishlist')
      return page('Wishlist', nav, `<ul>${state.wishlist.map((one) => `<li>${html(nameOf(state, one))}</li>`).join('')}</ul>`)
    if (path === '/checkout' && method === 'GET') return checkoutPage()
    if (path === '/checkout') {
      const [address, delivery] = [form.get('address') ?? '', form.get('delivery') ?? '']
      if (!address || cart.length === 0) return page('Checkout', nav, '<p role="alert">Something is missing.</p>', 422)
      const number = Math.max(...state.orders.map((one) => one.number)) + 1
      state.orders.push({ number, lines: cart, address, delivery, state: 'placed' })
      state.carts.delete(session)
      return seeOther(`/orders/${number}`)
    }
    return orders(state, method, path)
  },
}

function orders(state: Shop, method: string, path: string): Reply {
  if (path === '/orders')
    return page(
      'My orders',
      nav,
      `<ul>${state.orders.map((one) => `<li><a href="/orders/${one.number}">Order ${one.number}</a> ${one.state}</li>`).join('')}</ul>`,
    )
  const order = state.orders.find((one) => path === `/orders/${one.number}` || path === `/orders/${one.number}/cancel`)
  if (!order) return missing()
  if (method === 'POST') {
    order.state = 'cancelled'
    return seeOther(`/orders/${order.number}`)
  }
  return orderPage(state, order)
}

function api({ products }: Shop, method: string, path: string, query: URLSearchParams): Reply {
  if (method !== 'GET') return json({ error: 'read only' }, 405)
  const shown = ({ price, ...one }: Product) => ({ ...one, price: price / 100, url: `/p/${one.sku}` })
  if (path === '/products') {
    const found = products.filter(
      (one) =>
        (!query.has('category') || one.category === query.get('category')) &&
        one.name.toLowerCase().includes((query.get('name') ?? '').toLowerCase()),
    )
    const [size, offset] = [Math.min(50, Number(query.get('limit') ?? 20)), Number(query.get('offset') ?? 0)]
    return json(found.slice(offset, offset + size).map(shown))
  }
  const one = products.find(({ sku }) => path === `/products/${sku}`)
  return one ? json(shown(one)) : json({ error: 'no such product' }, 404)
}

const string = { type: 'string' }
const product = {
  type: 'object',
  properties: {
    sku: string,
    name: string,
    category: string,
    price: { type: 'number', description: 'US dollars' },
    stock: { type: 'integer', description: 'Pieces; 0 where it is out of stock' },
    weight_grams: { type: 'integer' },
    rating: { type: 'number', description: 'Mean of the reviews, 1 to 5' },
    url: { type: 'string', description: 'Its page' },
  },
}
const done = (schema: object) => ({ 200: { description: 'Found', content: { 'application/json': { schema } } } })
const document = {
  openapi: '3.0.3',
  info: { title: 'Catalogue', version: '2' },
  servers: [{ url: '/api' }],
  paths: {
    '/products': {
      get: {
        summary: 'Products of the catalogue',
        parameters: [
          { name: 'category', in: 'query', schema: { type: 'string', enum: Object.keys(kinds) } },
          { name: 'name', in: 'query', schema: string },
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50, default: 20 } },
          { name: 'offset', in: 'query', schema: { type: 'integer', default: 0 } },
        ],
        responses: done({ type: 'array', items: product }),
      },
    },
    '/products/{sku}': {
      get: {
        summary: 'One product',
        parameters: [{ name: 'sku', in: 'path', required: true, schema: string }],
        responses: done(product),
      },
    },
  },
}
