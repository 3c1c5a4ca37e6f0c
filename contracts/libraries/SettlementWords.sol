// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";

/// @title The parts of a settlement, wherever its offsets point
/// @notice Without the compiler's checks that they lie within the calldata, for some 80 gas each: what lies outside reads as
///         zeros, and of both parts the hash is compared with what was signed, or the signature is found to be none.
library SettlementWords {
    function getCharter(IPlanEscrow.Settlement calldata settlement)
        internal
        pure
        returns (IPlanEscrow.Charter calldata charter)
    {
        assembly ("memory-safe") {
            charter := add(settlement, calldataload(add(settlement, 0x1c0)))
        }
    }

    function getSignature(IPlanEscrow.Settlement calldata settlement) internal pure returns (bytes calldata signature) {
        assembly ("memory-safe") {
            let at := add(settlement, calldataload(add(settlement, 0x240)))
            signature.length := calldataload(at)
            signature.offset := add(at, 0x20)
        }
    }

    /// @notice Calls this contract itself with `selector` and the i-th settlement as the one argument, for as much gas as
    ///         there is, and answers whether it went through. What it answers or reverts with is not read.
    /// @dev The settlement is handed on as it stands in calldata, from its beginning to that of the next, or to the end:
    ///      its own offsets are relative to its beginning. One that begins outside, or is written across that border, fails.
    function passOn(IPlanEscrow.Settlement[] calldata settlements, uint256 i, bytes4 selector)
        internal
        returns (bool done)
    {
        assembly ("memory-safe") {
            let places := settlements.offset
            let rest := sub(calldatasize(), places)
            let from := calldataload(add(places, shl(5, i)))
            let next := add(i, 1)
            let to := rest
            if lt(next, settlements.length) { to := calldataload(add(places, shl(5, next))) }
            // Where the next one does not stand behind this one, all the rest of the calldata is handed on.
            if or(iszero(gt(to, from)), gt(to, rest)) { to := rest }
            if lt(from, to) {
                let start := mload(0x40)
                let size := sub(to, from)
                mstore(start, selector)
                mstore(add(start, 0x04), 0x20)
                calldatacopy(add(start, 0x24), add(places, from), size)
                done := call(gas(), address(), 0, start, add(size, 0x24), 0, 0)
            }
        }
    }
}
