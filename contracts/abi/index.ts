export * from './plan-escrow.ts'
export * from './test-usdc.ts'
export * from './typed-data.ts'
