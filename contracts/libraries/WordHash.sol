// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Hashes of a few consecutive words
/// @notice What keccak256(abi.encode(…)) gives for words, without making room for them in memory each time.
library WordHash {
    function hash(bytes32 a, bytes32 b, bytes32 c) internal pure returns (bytes32 result) {
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, a)
            mstore(add(start, 0x20), b)
            mstore(add(start, 0x40), c)
            result := keccak256(start, 0x60)
        }
    }

    function hash(bytes32 a, bytes32 b, uint256 c, uint256 d, uint256 e, bytes32 f) internal pure returns (bytes32 result) {
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, a)
            mstore(add(start, 0x20), b)
            mstore(add(start, 0x40), c)
            mstore(add(start, 0x60), d)
            mstore(add(start, 0x80), e)
            mstore(add(start, 0xa0), f)
            result := keccak256(start, 0xc0)
        }
    }
}
