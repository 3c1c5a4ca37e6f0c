// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Calls the factory that an ERC-6492 signature names
/// @notice Such a call is whatever the signature's bringer makes of it. It is made from here, because this contract has
///         no rights, no money and no state, and nobody should ever give it any: anybody can make it call anything.
contract FactoryCaller {
    /// @notice Calls `factory`, and says nothing about how it went: what counts is whether the wallet is there after.
    function call(address factory, bytes calldata data) external {
        assembly ("memory-safe") {
            let start := mload(0x40)
            calldatacopy(start, data.offset, data.length)
            pop(call(gas(), factory, 0, start, data.length, 0, 0))
        }
    }
}
