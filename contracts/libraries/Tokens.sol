// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Calls that read a token
library Tokens {
    /// @notice What this contract holds of `token`. Reverts with the token's error, or if the answer is shorter than a word.
    /// @dev As IERC20(token).balanceOf(address(this)), without making room in memory for question and answer.
    function balanceHere(address token) internal view returns (uint256 held) {
        assembly ("memory-safe") {
            // balanceOf(address)
            mstore(0x00, 0x70a08231)
            mstore(0x20, address())
            if iszero(staticcall(gas(), token, 0x1c, 0x24, 0x00, 0x20)) {
                let start := mload(0x40)
                returndatacopy(start, 0, returndatasize())
                revert(start, returndatasize())
            }
            if lt(returndatasize(), 0x20) { revert(0, 0) }
            held := mload(0x00)
        }
    }
}
