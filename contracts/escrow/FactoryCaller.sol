// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Calls the factory that an ERC-6492 signature names
/// @notice The caller chooses the target and the data. This separate contract makes the call, because it has no rights,
///         no money and no state. Give it none: any account can make it call any contract.
contract FactoryCaller {
    /// @notice Calls `factory` and ignores the result. The caller checks afterwards whether the wallet exists.
    function call(address factory, bytes calldata data) external {
        assembly ("memory-safe") {
            let start := mload(0x40)
            calldatacopy(start, data.offset, data.length)
            pop(call(gas(), factory, 0, start, data.length, 0, 0))
        }
    }
}
