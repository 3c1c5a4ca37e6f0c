// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";

/// @title The items of a batch, each in a call of its own
/// @notice This library does not read or trust the content of an item. It only assembles the arguments, and the called
///         function checks all of them. A wrongly assembled item fails, and pays no account.
library Batches {
    /// @notice Calls this contract itself with `selector` once for each item, and returns which calls succeeded. An
    ///         item can use at most `gasEach`, so that one that burns all its gas fails alone. Its return and revert
    ///         data are not read.
    /// @dev An item is a count of runs (2 bytes) and the runs: place (2 bytes), count (2 bytes), and that many words.
    ///      They overwrite the arguments of the item before at that place; the other words are kept. The evaluator
    ///      and its attestation of this item follow the arguments: see {isAttested}. A call gets at most 63/64 of
    ///      the remaining gas. If that is less than `gasEach`, the batch reverts. Otherwise its sender could send
    ///      little gas to make an item fail, or to have it paid into a credit.
    function run(IPlanEscrow.Batch calldata batch, bytes4 selector) internal returns (uint256 okBitmap) {
        (bytes calldata items, bytes32[] calldata attestations) = (batch.items, batch.attestations);
        (uint256 gasEach, address evaluator) = (batch.gasEach, batch.evaluator);
        uint256 left = type(uint256).max;
        assembly ("memory-safe") {
            // What the call itself costs is within the margin. A promise that no gas can keep stays one.
            let promised := add(gasEach, 1000)
            if lt(promised, gasEach) { promised := gasEach }
            let start := mload(0x40)
            mstore(start, selector)
            let words := add(start, 0x04)
            let size := 0
            let at := items.offset
            let end := add(at, items.length)
            for { let i := 0 } lt(at, end) { i := add(i, 1) } {
                let runs := shr(240, calldataload(at))
                at := add(at, 0x02)
                for {} runs { runs := sub(runs, 1) } {
                    let head := calldataload(at)
                    let length := and(shr(219, head), 0x1fffe0)
                    let to := and(shr(235, head), 0x1fffe0)
                    at := add(at, 0x04)
                    calldatacopy(add(words, to), at, length)
                    at := add(at, length)
                    to := add(to, length)
                    if gt(to, size) { size := to }
                }
                let tail := add(words, size)
                mstore(tail, evaluator)
                mstore(add(tail, 0x20), 0)
                if lt(i, attestations.length) { calldatacopy(add(tail, 0x20), add(attestations.offset, shl(5, i)), 0x20) }
                let rest := gas()
                rest := sub(rest, shr(6, rest))
                if lt(rest, promised) {
                    left := rest
                    break
                }
                okBitmap := or(okBitmap, shl(i, call(gasEach, address(), 0, start, add(size, 0x44), 0, 0)))
            }
        }
        if (left != type(uint256).max) revert IPlanEscrow.GasTooLow(left, gasEach);
    }

    /// @notice The EIP-712 struct hash of all attestations of a batch.
    function hash(bytes32 typehash, bytes32[] calldata attestations) internal pure returns (bytes32 result) {
        assembly ("memory-safe") {
            let start := mload(0x40)
            let size := shl(5, attestations.length)
            calldatacopy(start, attestations.offset, size)
            mstore(0x20, keccak256(start, size))
            mstore(0x00, typehash)
            result := keccak256(0x00, 0x40)
        }
    }

    /// @notice Whether this is the call of an item, and the signature of `evaluator` under its batch covers
    ///         `attestation` for this item.
    /// @dev No account but {run} makes this contract call itself, and {run} ends each call with these two words.
    function isAttested(address evaluator, bytes32 attestation) internal view returns (bool yes) {
        assembly ("memory-safe") {
            let tail := sub(calldatasize(), 0x40)
            yes := and(
                eq(caller(), address()),
                and(eq(calldataload(tail), evaluator), eq(calldataload(add(tail, 0x20)), attestation))
            )
        }
    }
}
