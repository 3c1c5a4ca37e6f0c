// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";

/// @title One item of a batch, in a call of its own
library Batches {
    /// @notice Where the items' offsets stand in calldata.
    function placesOf(IPlanEscrow.Settlement[] calldata items) internal pure returns (uint256 places) {
        assembly ("memory-safe") {
            places := items.offset
        }
    }

    /// @notice As above.
    function placesOf(IPlanEscrow.SealedSettlement[] calldata items) internal pure returns (uint256 places) {
        assembly ("memory-safe") {
            places := items.offset
        }
    }

    /// @notice Calls this contract itself with `selector` and the i-th item as the one argument, and answers whether it went
    ///         through. The item can use `gasEach` and no more, so that one that burns all it is given fails alone. What it
    ///         answers or reverts with is not read.
    /// @param places where an array of dynamic structs in calldata has its offsets; `count` of them
    /// @dev The item is handed on as it stands in calldata, from its beginning to that of the next, or to the end: its own
    ///      offsets are relative to its beginning. One that begins outside, or is written across that border, fails.
    ///      A call is given at most 63 of 64 parts of what is left. Where that is less than promised, the batch reverts:
    ///      otherwise its sender could make an item fail, or be paid into a credit, by bringing little gas.
    function passOn(uint256 places, uint256 count, uint256 i, bytes4 selector, uint256 gasEach)
        internal
        returns (bool done)
    {
        uint256 left;
        assembly ("memory-safe") {
            let rest := sub(calldatasize(), places)
            let from := calldataload(add(places, shl(5, i)))
            let next := add(i, 1)
            let to := rest
            if lt(next, count) { to := calldataload(add(places, shl(5, next))) }
            // Where the next one does not stand behind this one, all the rest of the calldata is handed on.
            if or(iszero(gt(to, from)), gt(to, rest)) { to := rest }
            if lt(from, to) {
                let start := mload(0x40)
                let size := sub(to, from)
                mstore(start, selector)
                mstore(add(start, 0x04), 0x20)
                calldatacopy(add(start, 0x24), add(places, from), size)
                left := gas()
                left := sub(left, shr(6, left))
                // What the call itself costs is within the margin.
                if iszero(lt(left, add(gasEach, 1000))) {
                    done := call(gasEach, address(), 0, start, add(size, 0x24), 0, 0)
                    left := not(0)
                }
            }
            if iszero(lt(from, to)) { left := not(0) }
        }
        if (left != type(uint256).max) revert IPlanEscrow.GasTooLow(left, gasEach);
    }
}
